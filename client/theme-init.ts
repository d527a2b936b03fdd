// Runs before the first paint, from the head: puts the remembered theme on the root, so that nothing flashes.
// Kept free of imports, because it is loaded as a classic, blocking script.
{
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  } catch {
    // Storage may be forbidden: the system's theme is shown.
  }
}
