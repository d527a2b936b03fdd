/** Signs of scripts that run from right to left, such as Hebrew and Arabic: the inside of a class of a pattern with `u`. */
export const RIGHT_TO_LEFT_SIGNS = String.raw`\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`;
