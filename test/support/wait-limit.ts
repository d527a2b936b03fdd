/**
 * For how long a test waits for what has to happen: long enough for any machine that is busy with something else. It
 * decides only how soon is told that something never came. A whole test has several times as much (jest.config.mjs).
 */
export const WAIT_LIMIT_MS = 60_000;
