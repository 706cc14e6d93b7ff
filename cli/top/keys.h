/* SPDX-License-Identifier: GPL-2.0-only */
/* From keys to what is to be done. Pure: what concerns looking alone is done to the model. */
#ifndef TOP_KEYS_H
#define TOP_KEYS_H

#include "top/key.h"
#include "top/model.h"

/** What is left to be done by whoever measures. */
enum action {
	ACTION_NONE, ACTION_ZOOM, ACTION_BACK, ACTION_QUIT, ACTION_PAUSE, ACTION_ZERO,
	ACTION_WINDOW, ACTION_FASTER, ACTION_SLOWER, ACTION_AGAIN,
};

/** keys_take() - one key. */
enum action keys_take(struct model *model, uint32_t key);

#endif
