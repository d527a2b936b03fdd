/** Makes formulas that are too wide, which scroll by themselves or with their line, reachable by the keyboard. */
export function reachFormulas(article: HTMLElement, gone: AbortSignal): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth <= target.clientWidth) continue;
      target.setAttribute('tabindex', '0');
      target.role = 'group';
      target.ariaLabel = 'Formula';
    }
  });
  for (const formula of article.querySelectorAll('.ql-formula')) {
    observer.observe(formula);
    const line = formula.matches('.prose > p > :only-child') && formula.parentElement;
    if (line) observer.observe(line);
  }
  gone.addEventListener('abort', () => observer.disconnect());
}
