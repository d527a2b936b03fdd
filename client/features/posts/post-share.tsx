import { Icon } from '../../components/icon.js';

/** Not among the signs, which every page loads. */
const SHARE = 'M10 12.5V3M6.5 6 10 2.5 13.5 6M6 9H4.5v8h11V9H14';

/**
 * A link to the post under its own address, for whoever copies it without scripts. With them it opens what the system
 * shares with, or copies the address (reading/share-post.ts).
 */
export function PostShare({ address }: { readonly address: string }) {
  return (
    <p className="post-share">
      <a className="link" href={address}>
        <Icon shape={SHARE} />
        <span className="scripted">Share this post</span>
        <span className="unscripted">Link to this post</span>
      </a>
      <span role="status" />
    </p>
  );
}
