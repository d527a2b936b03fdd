/** Every address of the site, built in one place. */
export const paths = {
  home: '/',
  about: '/about',
  pricing: '/pricing',
  whyChooseUs: '/why-choose-us',
  ourPromise: '/why-choose-us/our-promise',
  devices: '/why-choose-us/devices-we-support',
  notSure: '/why-choose-us/not-sure-about-it-service',
  contact: '/contact',
  client: '/client',
  blogs: '/blogs',
  blog: (slug: string) => `/blogs/${encodeURIComponent(slug)}`,
  privacy: '/privacy',
  terms: '/terms',
  accessibility: '/accessibility',
  rss: '/rss.xml',
  sitemap: '/sitemap.xml',
  api: {
    posts: '/api/posts',
    post: (slug: string) => `/api/posts/${encodeURIComponent(slug)}`,
    contact: '/api/contact',
  },
} as const;
