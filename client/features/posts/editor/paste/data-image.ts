/** Content types that may be uploaded; the server checks the content itself. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'] as const;

/** The picture inside a `data:` address as a file; null if it is none that may be uploaded. */
export function readDataImage(address: string): File | null {
  const [, type, isBase64, data = ''] = /^data:([a-z]+\/[a-z0-9.+-]+)[^,]*?(;base64)?,(.*)$/is.exec(address) ?? [];
  if (type === undefined || isBase64 === undefined || !isImageType(type.toLowerCase())) return null;
  try {
    const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (character) => character.charCodeAt(0));
    return new File([bytes], `pasted.${type.slice('image/'.length).toLowerCase()}`, { type: type.toLowerCase() });
  } catch {
    // Cut off on its way through the clipboard: no picture.
    return null;
  }
}

export function isImageType(type: string): boolean {
  return (IMAGE_TYPES as readonly string[]).includes(type);
}
