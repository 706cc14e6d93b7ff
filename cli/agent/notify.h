/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells the service manager how a service does: the protocol of sd_notify(3). */
#ifndef NOTIFY_H
#define NOTIFY_H

/**
 * notify_service() - send lines such as "READY=1". Without NOTIFY_SOCKET, which a service manager sets,
 * nothing happens. Errors are ignored: nobody could do anything about them.
 */
void notify_service(const char *lines);

#endif
