/**
 * Writes the page for failed renderings: plain markup, because the renderer has just failed.
 * @param styles addresses of the site's style sheets
 * @param errorId id of the request, by which the log can be searched
 * @param isUnavailable true when the failure will pass in moments
 */
export function errorPage(styles: readonly string[], errorId: string, isUnavailable = false): string {
  const heading = isUnavailable ? 'We will be back in a moment' : 'Something went wrong on our side';
  return plainPage(
    styles,
    heading,
    `<p class="lede">The page could not be put together just now. Please try again in a moment.</p>
<p><a class="btn btn-primary" href="/">Return to Home</a></p>
<p class="quiet small">Error id ${errorId}</p>`,
  );
}

/** Writes the page for those who may not see a preview, or not any more. */
export function refusedPreviewPage(styles: readonly string[]): string {
  return plainPage(
    styles,
    'This preview is for administrators',
    `<p class="lede">A preview is open for an hour, to whoever is signed in and opened it. Open it anew in the admin area.</p>
<p><a class="btn btn-primary" href="/admin">Go to the admin area</a></p>`,
  );
}

/** @param html the rest below the heading */
function plainPage(styles: readonly string[], heading: string, html: string): string {
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('');
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading}</title>
${links}
</head>
<body>
<main class="section"><div class="wrap stack">
<h1>${heading}</h1>
${html}
</div></main>
</body>
</html>
`;
}
