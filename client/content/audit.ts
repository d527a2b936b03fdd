/** Actions in words after the actor. The subject stands where the braces are, or at the end. */
export const actionWords: Readonly<Record<string, string>> = {
  'post.created': 'created the post',
  'post.saved': 'saved the post',
  'post.imported': 'imported the post',
  'post.import_undone': 'undid the import of the post',
  'post.comments_removed': 'removed comments of the post',
  'post.published': 'published the post',
  'post.unpublished': 'took back the post',
  'post.dated': 'changed the date of the post',
  'post.scheduled': 'scheduled the post',
  'post.unscheduled': 'canceled the schedule of the post',
  'post.working_copy_discarded': 'discarded unsaved changes of the post',
  'post.words_replaced': 'replaced words in the post',
  'post.trashed': 'deleted the post {} (it is in the trash)',
  'post.pictures_stored': 'stored the pictures of other sites of the post',
  'post.given': 'gave the post {} to somebody else',
  'post.moved': 'gave the post {} another address',
  'post.restored': 'restored the post {} from the trash',
  'post.deleted': 'deleted the post {} for good',
  'post.preview_link_created': 'made a preview link for the post',
  'post.preview_link_withdrawn': 'withdrew a preview link of the post',
  'post.preview_links_withdrawn': 'withdrew all preview links of the post',
  'category.renamed': 'renamed the category',
  'category.merged': 'merged the category',
  'tag.renamed': 'renamed the tag',
  'tag.merged': 'merged the tag',
  'image.replaced': 'replaced the image',
  'image.removed': 'removed the image',
  'enquiry.answered': 'marked the enquiry {} as answered',
  'enquiry.answered_by_mail': 'answered the enquiry {} by mail',
  'enquiry.assigned': 'assigned the enquiry',
  'enquiry.unassigned': 'took the assignment from the enquiry',
  'enquiry.closed': 'closed the enquiry',
  'enquiry.marked_spam': 'marked the enquiry {} as spam',
  'enquiry.unmarked_spam': 'took the enquiry {} out of the spam',
  'enquiry.reopened': 'opened the enquiry {} again',
  'enquiry.noted': 'changed the note on the enquiry',
  'enquiry.resent': 'sent the mail about the enquiry {} again',
  'enquiry.exported': 'exported enquiries',
  'enquiry.erased': 'erased an enquiry',
  'settings.published': 'changed the settings of',
  'settings.draft_discarded': 'discarded waiting changes of',
  'settings.version_restored': 'made a draft of an earlier version of',
  'redirect.created': 'redirected',
  'redirect.changed': 'redirected {} elsewhere',
  'redirect.removed': 'removed the redirect of',
  'role.granted': 'gave a role to',
  'role.revoked': 'took the role from',
  'user.created': 'created the account of',
  'user.invited': 'invited',
  'user.updated': 'changed the account of',
  'user.link_generated': 'made a link that signs in as',
  'user.confirmed': 'confirmed the address of',
  'user.password_set': 'set a new password for',
  'user.banned': 'banned',
  'user.ban_lifted': 'lifted the ban of',
  'user.unlocked': 'forgave the wrong guesses at',
  'user.factor_added': 'added a second factor to',
  'user.factor_removed': 'removed a second factor from',
  'user.sessions_ended': 'signed out devices of',
  'user.recovery_codes_created': 'made recovery codes for',
  'user.recovery_codes_removed': 'removed the recovery codes of',
  'user.recovery_code_used': 'used a recovery code of',
  'user.passkey_added': 'added a passkey to',
  'user.passkey_removed': 'removed a passkey from',
  'user.deleted': 'deleted the account of',
};

/** Names of actors without an account. */
export const actorWords = {
  user: 'A deleted account',
  operator: 'The operator',
  program: 'A program',
  system: 'The system',
} as const;

/**
 * Returns an action in words before and after its subject. An action without words is spelled out: `media.removed`
 * becomes 'media removed'.
 */
export function toActionWords(action: string): readonly [before: string, after: string] {
  const [before = '', after = ''] = (actionWords[action] ?? action.replaceAll(/[._]/g, ' ')).split(/ ?\{\} ?/);
  return [before, after];
}

export const auditMessages = {
  loading: 'Loading activity...',
  empty: 'Nothing has happened yet.',
  nothingFound: 'Nothing matches. Try fewer filters.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch the activity' },
} as const;
