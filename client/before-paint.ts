// The one script that runs before the first paint, from the head. Kept free of imports, because it is a classic one.
{
  // The browser asks this policy where a library hands it text for a place from which scripts can come (decision 58): React
  // makes script elements, which never run, and fills them with JSON, Quill empties its place, and below are our modules.
  globalThis.trustedTypes?.createPolicy('default', {
    createHTML: (html) => (html.includes('<') && html !== '<script></script>' ? null : html),
    createScriptURL: (url) => (/^\/(?![/\\])/.test(url) ? url : null),
  });

  try {
    // Puts the remembered theme on the root, so that nothing flashes.
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  } catch {
    // Storage may be forbidden: the system's theme is shown.
  }

  /** Addresses of modules: those to fetch together, and those of them that start the application, in their order. */
  const { modules = '', scripts = '' } = document.currentScript?.dataset ?? {};

  const start = () => {
    for (const href of modules.split(' ')) {
      // After the images that the visitor sees.
      const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', href });
      if (href) document.head.append(link);
    }
    for (const src of scripts.split(' ')) {
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', async: false, src }));
    }
  };

  /** Calls back once, after the first paint; soon where nothing is painted, as in a tab that nobody looks at. */
  const afterPaint = (run: () => void) => {
    let isDone = false;
    const runOnce = () => {
      if (!isDone) run();
      isDone = true;
    };
    if (document.hidden) return runOnce();
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) runOnce();
    });
    observer.observe({ type: 'paint', buffered: true });
    window.addEventListener('load', () => setTimeout(runOnce, 1000));
  };

  // The page's data stands at its end.
  if (scripts) document.addEventListener('DOMContentLoaded', () => afterPaint(start));
}
