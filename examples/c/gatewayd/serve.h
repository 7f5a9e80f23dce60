/* serve.h - the daemon as a server. */
#ifndef SERVE_H
#define SERVE_H

/* Serves requests on a Unix socket with the configuration in a file, until SIGTERM. The exit status. */
int serve(const char *socket_path, const char *config_name);

#endif
