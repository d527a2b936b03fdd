/**
 * Reads what programs write in ways of their own: posts as this site shows them, formulas of KaTeX and MathML, items to tick
 * off, code in boxes, and headings that are paragraphs by name.
 */
export function readSpecials(body: HTMLElement): void {
  readOwnPage(body);
  readFormulas(body);
  readTicks(body);
  readCode(body);
  for (const heading of body.querySelectorAll('[role="heading"][aria-level]')) {
    const level = Number(heading.getAttribute('aria-level'));
    if (heading.tagName !== 'P' || !(level >= 1 && level <= 6)) continue;
    const element = body.ownerDocument.createElement(`h${Math.max(2, level)}`);
    element.append(...heading.childNodes);
    heading.replaceWith(element);
  }
}

/**
 * The page of a post puts around its words what helps to read them: headings and pictures that lead to themselves, bars over
 * code, and links that wait to become players.
 */
function readOwnPage(body: HTMLElement): void {
  for (const bar of body.querySelectorAll('.code > .code-head')) bar.remove();
  for (const link of body.querySelectorAll('a.heading-link, a.picture-link')) link.replaceWith(...link.childNodes);
  for (const link of body.querySelectorAll<HTMLElement>('.video > a[data-player]')) {
    const player = body.ownerDocument.createElement('iframe');
    player.setAttribute('src', link.dataset['player'] ?? '');
    player.title = link.querySelector('.video-title')?.textContent.trim() ?? '';
    link.parentElement?.replaceWith(player);
  }
}

/** A formula is there twice, drawn and as MathML, with its source in it. */
function readFormulas(body: HTMLElement): void {
  for (const source of body.querySelectorAll('annotation[encoding="application/x-tex"]')) {
    const drawn = source.closest('.katex-display') ?? source.closest('.katex') ?? source.closest('math');
    const formula = body.ownerDocument.createElement('span');
    formula.className = 'ql-formula';
    formula.dataset['value'] = source.textContent.replace(/\s+/g, ' ').trim();
    drawn?.replaceWith(formula);
  }
}

/** Boxes to tick: of forms, of Google Docs, and the brackets of Notion. */
function readTicks(body: HTMLElement): void {
  for (const item of body.querySelectorAll<HTMLElement>('li')) {
    const box = item.querySelector<HTMLInputElement>(
      ':scope > input[type="checkbox"], :scope > p > input[type="checkbox"]',
    );
    const ticked = item.getAttribute('aria-checked') ?? (box === null ? null : String(box.hasAttribute('checked')));
    const brackets = /^\s*\[([ xX])\]\s/.exec(item.firstChild?.nodeValue ?? '');
    box?.remove();
    item.querySelector('img[aria-roledescription="checkbox"]')?.remove();
    if (brackets !== null && item.firstChild !== null) {
      item.firstChild.nodeValue = (item.firstChild.nodeValue ?? '').slice(brackets[0].length);
    }
    const mark = ticked ?? (brackets === null ? null : String(brackets[1] !== ' '));
    if (mark !== null) item.dataset['list'] = mark === 'true' ? 'checked' : 'unchecked';
  }
}

/** Pages that color code break its lines with elements, which its text does not have. */
function breakLines(code: HTMLElement): void {
  for (const lineBreak of code.querySelectorAll('br')) lineBreak.replaceWith('\n');
  // From the inside out: a box around lines ends with the last of them.
  for (const line of [...code.querySelectorAll('div, p, li')].reverse()) {
    if (line.nextSibling !== null && !line.textContent.endsWith('\n')) line.append('\n');
  }
}

/** Code in a box with a bar over it: the bar is none of the code. */
function readCode(body: HTMLElement): void {
  for (const block of body.querySelectorAll('pre')) {
    const [code, ...others] = block.querySelectorAll('code');
    if (code === undefined || others.length > 0) continue;
    const language = /\blang(?:uage)?-([a-z0-9+#.-]+)/i
      .exec(`${code.className} ${block.className}`)?.[1]
      ?.toLowerCase();
    breakLines(code);
    code.textContent = code.textContent.replace(/\n$/, '');
    block.replaceChildren(code.textContent);
    if (language !== undefined) block.dataset['language'] = language;
  }
}
