/** The page's ground in both themes (`--background` in client/styles/tokens.css), for browsers that color their frame. */
export const THEME_COLORS = { light: '#fcf9f3', dark: '#0d1a1a' } as const;
