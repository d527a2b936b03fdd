import type { PostForm } from '../../../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../../../src/shared/paths.js';
import { useSite } from '../../../../lib/site-context.js';
import { toShownAddress } from '../../../../lib/remote-picture.js';
import { SEARCH_TEXT_SHOWN, SEARCH_TITLE_SHOWN } from './post-checks.js';

/** Shows a post as a search result and as a link that somebody shares, about as search engines and networks do. */
export function SearchPreview({ fields }: { readonly fields: PostForm }) {
  const site = useSite();
  const title = fields.seo_title.trim() || fields.title.trim() || 'Title';
  const text = fields.seo_description.trim() || fields.excerpt.trim();
  const picture = fields.social_image || fields.image_url;
  const { host } = new URL(site.url);
  return (
    <div className="search-previews">
      <figure>
        <figcaption className="small quiet">As a search result</figcaption>
        <div className="search-result">
          <p className="search-result-address small">
            {host} ›{' '}
            {paths
              .blog(fields.slug.trim() || '…')
              .slice(1)
              .replaceAll('/', ' › ')}
          </p>
          <p className="search-result-title">{shorten(`${title} | ${site.name}`, SEARCH_TITLE_SHOWN)}</p>
          <p className="small quiet">
            {shorten(text, SEARCH_TEXT_SHOWN) || 'Search engines choose a sentence of the text.'}
          </p>
        </div>
      </figure>
      <figure>
        <figcaption className="small quiet">As a shared link</figcaption>
        <div className="shared-link">
          {picture ? <img src={toShownAddress(picture)} alt="" /> : <p className="small quiet">Without a picture</p>}
          <div>
            <p className="small quiet">{host}</p>
            <p className="shared-link-title">{title}</p>
            <p className="small quiet">{shorten(text, SEARCH_TEXT_SHOWN)}</p>
          </div>
        </div>
      </figure>
    </div>
  );
}

function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length
    ? `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : text;
}
