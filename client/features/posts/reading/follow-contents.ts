/** The line that a heading has passed when its section is read, in percent of the window from its top. */
const LINE = 30;

/** Marks, in the table of contents beside a text, the section that is read. */
export function followContents(article: HTMLElement, gone: AbortSignal): void {
  const sections = [...article.querySelectorAll<HTMLAnchorElement>('.contents-side a')].flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });
  if (sections.length === 0) return;
  const mark = () => {
    const line = (window.innerHeight * LINE) / 100;
    const read = sections.findLast(({ heading }) => heading.getBoundingClientRect().top <= line);
    for (const { link } of sections) {
      if (link === read?.link) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
    keepInView(read?.link);
  };
  // A heading anywhere above the line counts as in view, so that a jump over many is noticed too.
  const observer = new IntersectionObserver(mark, { rootMargin: `1000000px 0px -${100 - LINE}% 0px` });
  for (const { heading } of sections) observer.observe(heading);
  gone.addEventListener('abort', () => observer.disconnect());
}

/** Scrolls a long table of contents, and nothing else. */
function keepInView(link: HTMLElement | undefined): void {
  const box = link?.closest('nav');
  if (!link || !box || box.scrollHeight <= box.clientHeight) return;
  box.scrollTop = link.offsetTop - box.clientHeight / 2;
}
