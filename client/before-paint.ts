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

  /** Stands in the storage of the tab from when a page was loaded again until one has started. */
  const LOADED_AGAIN = 'loaded-again';

  /** While a release is replaced, a page of one is answered that the other one does not know its script. */
  const loadAgain = ({ target }: Event) => {
    // Ours alone: one of a browser's extension that is refused would have every page loaded twice.
    if (!(target instanceof HTMLScriptElement) || !target.src.startsWith(location.origin)) return;
    try {
      if (sessionStorage.getItem(LOADED_AGAIN)) return;
      sessionStorage.setItem(LOADED_AGAIN, 'yes');
      location.reload();
    } catch {
      // Storage may be forbidden: nothing would say then that it was tried.
    }
  };

  /** From then on people type, and the next upgrade is another one. */
  const noteStart = (list: PerformanceObserverEntryList) => {
    if (list.getEntriesByName('hydrated').length === 0) return;
    document.removeEventListener('error', loadAgain, true);
    try {
      sessionStorage.removeItem(LOADED_AGAIN);
    } catch {
      // Nothing was noted either.
    }
  };

  if (scripts) {
    // The page's data stands at its end.
    document.addEventListener('DOMContentLoaded', () => afterPaint(start));
  } else {
    // A page that does nothing without scripts, which stand in the document. All others can be used as they are, and people
    // may have typed there.
    document.addEventListener('error', loadAgain, true);
    new PerformanceObserver(noteStart).observe({ type: 'mark', buffered: true });
  }
}
