import { useId, type ReactNode, type Ref } from 'react';
import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { Icon } from '../../../components/icon.js';
import { signs } from '../../../components/signs.js';
import { InputField, TextAreaField } from '../../../components/field.js';
import { editorMessages, fieldLabels } from '../../../content/post-editor.js';
import type { RichTextEditorHandle, UploadImage } from '../editor/editor-contract.js';
import { RichTextEditor } from '../rich-text-editor.js';
import { withTitle } from './fields.js';
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
  readonly onUploadingChange: (isUploading: boolean) => void;
  readonly editorRef: Ref<RichTextEditorHandle>;
}

/** Fields for title, address, excerpt and text (product.md 2.13). */
export function PostText(props: PostTextProps) {
  const { fields, problems, onChange, server, replaced, uploadImage, onUploadingChange, editorRef } = props;
  const hasBeenPublished = server?.first_published_at != null;
  return (
    <div className="post-text">
      <InputField
        label={fieldLabels.title}
        name="title"
        required
        className="title-input"
        autoComplete="off"
        value={fields.title}
        error={problems.title}
        onChange={(event) => onChange(withTitle(fields, event.currentTarget.value, hasBeenPublished))}
      />
      <InputField
        label={fieldLabels.slug}
        name="slug"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={fields.slug}
        error={problems.slug}
        hint={hasBeenPublished ? editorMessages.slugStays : editorMessages.slugFollows}
        onChange={(event) => onChange({ ...fields, slug: event.currentTarget.value })}
      />
      <TextAreaField
        label={fieldLabels.excerpt}
        name="excerpt"
        rows={3}
        value={fields.excerpt}
        error={problems.excerpt}
        onChange={(event) => onChange({ ...fields, excerpt: event.currentTarget.value })}
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
            onUploadingChange={onUploadingChange}
          />
        )}
      </ContentField>
    </div>
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
      {children(error ? errorId : undefined)}
      {error ? (
        <p className="field-error" id={errorId}>
          <Icon shape={signs.alert} />
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** Fields for author, category and tags. */
export function PostDetails({ fields, problems, onChange }: FormPartProps) {
  const field = (name: 'author' | 'category' | 'tags') => ({
    label: fieldLabels[name],
    name,
    value: fields[name],
    error: problems[name],
    autoComplete: 'off',
    onChange: (event: { readonly currentTarget: HTMLInputElement }) =>
      onChange({ ...fields, [name]: event.currentTarget.value }),
  });
  return (
    <section className="panel side-panel" aria-label="Details">
      <InputField {...field('author')} required />
      <InputField {...field('category')} />
      <InputField {...field('tags')} placeholder="IT, Security, Cloud" hint="Separated by commas." />
    </section>
  );
}
