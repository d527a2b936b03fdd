import { Fragment, type ReactNode } from 'react';
import { placeholderPieces, toCompanyValues } from '../../src/shared/contracts/page-texts/placeholders.js';
import { readRichText, type RichPart } from '../../src/shared/contracts/page-texts/rich-text.js';
import type { Site } from '../../src/shared/contracts/site.js';
import { PhoneLink } from './facts-list.js';

interface RichTextProps {
  readonly text: string;
  /** The content in the place of placeholders within lines. */
  readonly facts: Readonly<Record<string, ReactNode>>;
  /** The content in the place of paragraphs that are a placeholder and nothing else. */
  readonly blocks?: Readonly<Record<string, ReactNode>>;
}

/** A text of several paragraphs: lists, links and marks of it become elements, and nothing else does. */
export function RichText({ text, facts, blocks = {} }: RichTextProps) {
  return readRichText(text).map((block, index) => {
    if (block.kind === 'list') {
      return (
        <ul key={index}>
          {block.items.map((parts, item) => (
            <li key={item}>{toNodes(parts, facts)}</li>
          ))}
        </ul>
      );
    }
    const [only] = block.parts;
    const name = block.parts.length === 1 && only?.kind === 'text' ? /^\{(\w+)\}$/.exec(only.text)?.[1] : undefined;
    if (name !== undefined && Object.hasOwn(blocks, name)) return <Fragment key={index}>{blocks[name]}</Fragment>;
    return <p key={index}>{toNodes(block.parts, facts)}</p>;
  });
}

function toNodes(parts: readonly RichPart[], facts: RichTextProps['facts']): ReactNode {
  return parts.map((part, index) => {
    const words = <Words text={part.text} facts={facts} />;
    switch (part.kind) {
      case 'text':
        return <Fragment key={index}>{words}</Fragment>;
      case 'strong':
        return <strong key={index}>{words}</strong>;
      case 'code':
        return <code key={index}>{part.text}</code>;
      case 'link':
        return (
          <a key={index} href={part.href}>
            {part.text}
          </a>
        );
    }
  });
}

function Words({ text, facts }: { readonly text: string; readonly facts: RichTextProps['facts'] }) {
  return placeholderPieces(text).map(({ text: piece, name }, index) => (
    <Fragment key={index}>{name !== undefined && Object.hasOwn(facts, name) ? facts[name] : piece}</Fragment>
  ));
}

/** Returns what rich texts can name of the company: its addresses are links. */
export function toRichFacts(site: Site): Readonly<Record<string, ReactNode>> {
  return {
    ...toCompanyValues(site),
    email: <a href={`mailto:${site.email}`}>{site.email}</a>,
    phone: <PhoneLink phone={site.phone} />,
  };
}
