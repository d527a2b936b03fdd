/**
 * The page for when no page could be made: plain markup, because whatever makes pages has just failed.
 * @param styles addresses of the site's style sheets
 */
export function errorPage(styles: readonly string[]): string {
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('');
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Something went wrong</title>
${links}
</head>
<body>
<main class="section"><div class="wrap">
<h1>Something went wrong on our side</h1>
<p class="lede">The page could not be put together just now. Please try again in a moment.</p>
<p><a class="btn btn-primary" href="/">Return to Home</a></p>
</div></main>
</body>
</html>
`;
}
