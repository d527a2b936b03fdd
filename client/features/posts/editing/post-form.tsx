import { useDeferredValue, useId, useMemo, type ReactNode, type RefObject } from 'react';
import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { countWords, toReadingMinutes } from '../../../../src/shared/reading-time.js';
import { Button } from '../../../components/button.js';
import { Icon } from '../../../components/icon.js';
import { signs } from '../../../components/signs.js';
import { InputField, TextAreaField } from '../../../components/field.js';
import { editorMessages, fieldLabels } from '../../../content/post-editor.js';
import { isComposing } from '../../../lib/is-composing.js';
import type { RichTextEditorHandle, UploadImage } from '../editor/editor-contract.js';
import { RichTextEditor } from '../rich-text-editor.js';
import { toCompletions, useUsedNames, type CompletedField } from './completion.js';
import { withTitle } from './fields.js';
import type { EditorParts } from './editor-parts.js';
import type { PostProblems } from './post-problems.js';

interface FormPartProps {
  readonly fields: PostForm;
  readonly problems: PostProblems;
  readonly onChange: (fields: PostForm) => void;
}

interface PostTextProps extends FormPartProps {
  /** As the server knows it; null for a post that does not exist yet. */
  readonly server: AdminPost | null;
  /** Another number shows the text of `fields` anew in the editor. */
  readonly replaced: number;
  readonly uploadImage: UploadImage;
  readonly ImagePicker: EditorParts['ImagePicker'];
  readonly onUploadingChange: (isUploading: boolean) => void;
  readonly editorRef: RefObject<RichTextEditorHandle | null>;
}

/** Fields for title and text, with nothing between them (product.md 2.13). */
export function PostText(props: PostTextProps) {
  const { fields, problems, onChange, server, replaced, uploadImage, ImagePicker, onUploadingChange, editorRef } =
    props;
  const hasBeenPublished = server?.first_published_at != null;
  return (
    <div className="post-text">
      <TextAreaField
        label={fieldLabels.title}
        name="title"
        rows={1}
        required
        className="title-input"
        autoComplete="off"
        dir="auto"
        value={fields.title}
        error={problems.title}
        // A title has one line, however many it takes on the screen.
        onChange={({ currentTarget }) =>
          onChange(withTitle(fields, currentTarget.value.replace(/\s*\n\s*/g, ' '), hasBeenPublished))
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event)) return;
          event.preventDefault();
          editorRef.current?.focus();
        }}
      />
      <ContentField error={problems.content}>
        {(describedBy) => (
          <RichTextEditor
            // Made anew, not filled anew: what is loaded is no edit.
            key={replaced}
            ref={editorRef}
            id="post-content"
            label={fieldLabels.content}
            isRequired
            initialHtml={fields.content}
            describedBy={describedBy}
            isInvalid={problems.content !== undefined}
            onChange={(html, { isEmpty }) => onChange({ ...fields, content: isEmpty ? '' : html })}
            onUploadImage={uploadImage}
            ImagePicker={ImagePicker}
            onUploadingChange={onUploadingChange}
          />
        )}
      </ContentField>
      <TextLength html={fields.content} />
    </div>
  );
}

/** Says how long the text is. Typing does not wait for it. */
function TextLength({ html }: { readonly html: string }) {
  const counted = useDeferredValue(html);
  const words = useMemo(() => countWords(counted), [counted]);
  if (words === 0) return null;
  return (
    <p className="text-length quiet small">
      {words === 1 ? '1 word' : `${words.toLocaleString('en-US')} words`}, {toReadingMinutes(words)} min read
    </p>
  );
}

interface ContentFieldProps {
  readonly error: string | undefined;
  readonly children: (describedBy: string | undefined) => ReactNode;
}

function ContentField({ error, children }: ContentFieldProps) {
  const errorId = useId();
  return (
    <div className="content-field">
      {error ? (
        <p className="field-error" id={errorId}>
          <Icon shape={signs.alert} />
          {error}
        </p>
      ) : null}
      {children(error ? errorId : undefined)}
    </div>
  );
}

interface PostDetailsProps extends FormPartProps {
  readonly hasBeenPublished: boolean;
  /** The next free one, when another post has the slug of the form. */
  readonly freeSlug: string | null;
}

/** Fields for address, excerpt, author, category and tags. */
export function PostDetails({ fields, problems, onChange, hasBeenPublished, freeSlug }: PostDetailsProps) {
  const field = (name: 'slug' | 'excerpt' | 'author' | 'category' | 'tags') => ({
    label: fieldLabels[name],
    name,
    value: fields[name],
    error: problems[name],
    autoComplete: 'off',
    dir: 'auto',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...fields, [name]: event.currentTarget.value }),
  });
  const id = useId();
  const used = useUsedNames();
  const completed = (name: CompletedField) => ({ ...field(name), list: `${id}-${name}` });
  return (
    <section className="panel side-panel" aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <InputField
        {...field('slug')}
        required
        autoCapitalize="none"
        spellCheck={false}
        hint={hasBeenPublished ? editorMessages.slugStays : editorMessages.slugFollows}
      />
      {problems.slug !== undefined && freeSlug !== null ? (
        <Button kind="line" isSmall onClick={() => onChange({ ...fields, slug: freeSlug })}>
          Use ‘{freeSlug}’
        </Button>
      ) : null}
      <TextAreaField {...field('excerpt')} rows={3} />
      <InputField {...completed('author')} required hint={fields.author === '' ? editorMessages.authorAsked : null} />
      <InputField {...completed('category')} />
      <InputField {...completed('tags')} placeholder="IT, Security, Cloud" hint="Separated by commas." />
      {(['author', 'category', 'tags'] as const).map((name) => (
        <datalist key={name} id={`${id}-${name}`}>
          {toCompletions(name, fields[name], used).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      ))}
    </section>
  );
}
