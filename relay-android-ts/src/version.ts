/** The agent's version, sent to the daemon with every heartbeat. A test keeps it equal to package.json. */
export const APP_VERSION = '0.1.0';
