/* SPDX-License-Identifier: GPL-2.0-only */
/* Translates keys to actions. Changes of the view alone are made in the model. No side effects. */
#ifndef TOP_KEYS_H
#define TOP_KEYS_H

#include "top/key.h"
#include "top/model.h"

/** Actions that the caller must carry out. */
enum action {
	ACTION_NONE, ACTION_ZOOM, ACTION_BACK, ACTION_QUIT, ACTION_PAUSE, ACTION_ZERO,
	ACTION_WINDOW, ACTION_FASTER, ACTION_SLOWER, ACTION_AGAIN, ACTION_RATE_UP, ACTION_RATE_DOWN, ACTION_EVENT,
};

/** keys_take() - handle one key: update the model, or return an action for the caller. */
enum action keys_take(struct model *model, u32 key);

#endif
