import type { PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { postFields } from '../../../../src/shared/contracts/post-fields.js';
import { Disclosure } from '../../../components/disclosure.js';
import { InputField, TextAreaField } from '../../../components/field.js';
import { editorMessages, fieldLabels } from '../../../content/post-editor.js';
import { SearchPreview } from './checks/search-preview.js';
import type { EditorParts } from './editor-parts.js';
import { FocalPoint } from './focal-point.js';
import type { PostProblems } from './post-problems.js';

interface ImagePanelProps extends Pick<EditorParts, 'ImageField'> {
  readonly fields: PostForm;
  readonly problems: PostProblems;
  readonly onChange: (changed: Partial<PostForm>) => void;
  readonly onUploadingChange: (isUploading: boolean) => void;
}

/** The image above a post, with its caption. */
export function FeaturedImagePanel({ fields, problems, onChange, onUploadingChange, ImageField }: ImagePanelProps) {
  return (
    <section className="panel side-panel featured-image">
      <ImageField
        label={fieldLabels.image_url}
        value={{ url: fields.image_url, alt: fields.image_alt }}
        error={problems.image_url}
        altError={problems.image_alt}
        onUploadingChange={onUploadingChange}
        onChange={({ url, alt }) =>
          // Another picture has what matters somewhere else.
          onChange({ image_url: url, image_alt: alt, ...(url === fields.image_url ? {} : { image_focus: '' }) })
        }
      />
      <FocalPoint
        url={fields.image_url}
        value={fields.image_focus}
        onChange={(point) => onChange({ image_focus: point })}
      />
      {fields.image_url || fields.image_caption ? (
        <InputField
          label={fieldLabels.image_caption}
          name="image_caption"
          autoComplete="off"
          hint={editorMessages.captionHint}
          value={fields.image_caption}
          error={problems.image_caption}
          onChange={({ currentTarget }) => onChange({ image_caption: currentTarget.value })}
        />
      ) : null}
    </section>
  );
}

/** The texts and the image of a post in search results and where people share it. Closed until somebody wants it. */
export function SharingPanel({ fields, problems, onChange, onUploadingChange, ImageField }: ImagePanelProps) {
  return (
    <section className="panel side-panel sharing">
      <Disclosure summary={editorMessages.sharing}>
        <InputField
          label={fieldLabels.seo_title}
          name="seo_title"
          autoComplete="off"
          hint={`${editorMessages.seoTitleHint} At most ${postFields.seo_title.limit} characters.`}
          value={fields.seo_title}
          error={problems.seo_title}
          onChange={({ currentTarget }) => onChange({ seo_title: currentTarget.value })}
        />
        <TextAreaField
          label={fieldLabels.seo_description}
          name="seo_description"
          rows={3}
          hint={`${editorMessages.seoDescriptionHint} At most ${postFields.seo_description.limit} characters.`}
          value={fields.seo_description}
          error={problems.seo_description}
          onChange={({ currentTarget }) => onChange({ seo_description: currentTarget.value })}
        />
        <ImageField
          label={fieldLabels.social_image}
          value={{ url: fields.social_image, alt: null }}
          isDescribed={false}
          error={problems.social_image}
          onUploadingChange={onUploadingChange}
          onChange={({ url }) => onChange({ social_image: url })}
        />
        <InputField
          label={fieldLabels.canonical_url}
          name="canonical_url"
          type="url"
          autoComplete="off"
          hint={editorMessages.canonicalHint}
          value={fields.canonical_url}
          error={problems.canonical_url}
          onChange={({ currentTarget }) => onChange({ canonical_url: currentTarget.value })}
        />
        <SearchPreview fields={fields} />
      </Disclosure>
    </section>
  );
}
