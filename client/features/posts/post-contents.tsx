import type { PostHeading, PostSection } from '../../../src/shared/contracts/posts.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';

/**
 * The table of contents of a long post: beside the text where there is room, else before it, folded. Both are in the
 * page, as the styles choose: before scripts nobody knows how wide it is.
 */
export function PostContents({ sections }: { readonly sections: readonly PostSection[] }) {
  if (sections.length === 0) return null;
  return (
    <>
      <details className="disclosure contents-fold">
        <summary>
          Contents
          <Icon shape={signs.chevron} />
        </summary>
        <Contents sections={sections} />
      </details>
      <div className="contents-side">
        <Contents sections={sections} />
      </div>
    </>
  );
}

function Contents({ sections }: { readonly sections: readonly PostSection[] }) {
  return (
    <nav className="contents" aria-label="Contents">
      <ol role="list">
        {sections.map((section) => (
          <li key={section.id}>
            <ContentsLink {...section} />
            {section.parts.length > 0 ? (
              <ol role="list">
                {section.parts.map((part) => (
                  <li key={part.id}>
                    <ContentsLink {...part} />
                  </li>
                ))}
              </ol>
            ) : null}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function ContentsLink({ id, title }: PostHeading) {
  return (
    <a href={`#${id}`} dir="auto">
      {title}
    </a>
  );
}
