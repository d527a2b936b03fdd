// What is mutated, and the fewest test files that cover it, quick ones first.

/** The modules by name: paths from the root of the repository. */
export const modules = {
  sanitizer: {
    sources: [
      'src/posts/content/sanitize-content.ts',
      'src/posts/content/html-tokens.ts',
      'src/posts/content/tree-builder.ts',
      'src/posts/content/block-stack.ts',
      'src/posts/content/inline-formats.ts',
      'src/posts/content/element-rules.ts',
      'src/posts/content/attribute-rules.ts',
      'src/posts/content/safe-address.ts',
      'src/posts/content/list-nesting.ts',
      'src/posts/content/code-collector.ts',
      'src/posts/content/markup-tree.ts',
    ],
    tests: [
      'src/posts/content/sanitize-content.spec.ts',
      'src/posts/content/sanitize-rules.spec.ts',
      'src/posts/content/removal-log.spec.ts',
    ],
  },
  guard: {
    sources: [
      'src/http/access.guard.ts',
      'src/http/bearer.ts',
      'src/http/signed-in-user.ts',
      'src/auth/tokens/access-token.strategy.ts',
      'src/auth/tokens/authentication.service.ts',
      'src/auth/tokens/access-token.service.ts',
      'src/auth/tokens/token-key.ts',
      'src/roles/roles.service.ts',
    ],
    tests: [
      'test/integration/role-matrix.test.ts',
      'test/integration/routes-are-closed.test.ts',
      'test/integration/roles.test.ts',
      'test/integration/auth-token-claims.test.ts',
      'test/integration/auth-rules.test.ts',
      'test/integration/auth-sessions.test.ts',
      'test/integration/auth-session-rules.test.ts',
    ],
  },
  cache: {
    sources: [
      'src/pages/page-cache.ts',
      'src/pages/page-store.ts',
      'src/pages/cacheable-addresses.ts',
      'src/pages/page-front.ts',
    ],
    tests: [
      'src/pages/page-cache.spec.ts',
      'src/pages/page-store.spec.ts',
      'src/pages/cacheable-addresses.spec.ts',
      'test/pages/page-cache.test.ts',
      'test/pages/uncached-pages.test.ts',
    ],
  },
  refresh: {
    sources: [
      'src/auth/sessions/refresh.service.ts',
      'src/auth/sessions/sessions.service.ts',
      'src/auth/tokens/token-codec.ts',
    ],
    tests: [
      'src/auth/tokens/token-codec.spec.ts',
      'test/integration/auth-session-rules.test.ts',
      'test/integration/auth-sessions.test.ts',
    ],
  },
  import: {
    sources: [
      'src/import/import-decision.ts',
      'src/import/publication.ts',
      'src/import/source-fingerprint.ts',
      'src/import/changed-words.ts',
      'src/import/draft-writes.ts',
      'src/import/import-run.ts',
      'src/import/import-work.ts',
    ],
    tests: [
      'src/import/import-decision.spec.ts',
      'src/import/publication.spec.ts',
      'src/import/source-fingerprint.spec.ts',
      'src/import/changed-words.spec.ts',
      'src/import/import-work.spec.ts',
      'src/import/import-run.spec.ts',
      'test/integration/posts-import.test.ts',
      'test/integration/import-sources.test.ts',
      'test/integration/import-images.test.ts',
    ],
  },
  saving: {
    sources: [
      'client/features/posts/editing/saver.ts',
      'client/features/posts/editing/saving.ts',
      'client/features/posts/editing/saving-state.ts',
      'client/features/posts/editing/saving-plan.ts',
      'client/features/posts/editing/publication.ts',
    ],
    tests: [
      'client/features/posts/editing/saver.spec.ts',
      'client/features/posts/editing/saver-rules.spec.ts',
      'client/features/posts/editing/saving.spec.ts',
      'client/features/posts/editing/saving-rules.spec.ts',
    ],
  },
  writing: {
    sources: [
      'src/posts/post-writer.ts',
      'src/posts/post-change.ts',
      'src/posts/post-slugs.ts',
      'src/posts/post-revisions.ts',
      'src/posts/editing.service.ts',
      'src/posts/working-copies.service.ts',
      'src/posts/chosen-date.ts',
    ],
    tests: [
      'src/posts/post-change.spec.ts',
      'src/posts/chosen-date.spec.ts',
      'test/integration/admin-posts.test.ts',
      'test/integration/admin-posts-decisions.test.ts',
      'test/integration/admin-posts-dates.test.ts',
      'test/integration/admin-posts-history.test.ts',
      'test/integration/admin-posts-publishing.test.ts',
      'test/integration/media.test.ts',
    ],
  },
  redirects: {
    sources: [
      'src/redirects/redirects.service.ts',
      'src/redirects/redirect-decision.ts',
      'src/redirects/redirect-address.ts',
      'src/redirects/redirect-files.ts',
      'src/pages/moved-path.ts',
    ],
    tests: [
      'src/redirects/redirect-address.spec.ts',
      'src/redirects/redirect-files.spec.ts',
      'test/integration/redirects.test.ts',
      'test/integration/roles.test.ts',
    ],
  },
  settings: {
    sources: [
      'src/settings/settings-draft.ts',
      'src/settings/settings.service.ts',
      'src/settings/settings-store.service.ts',
      'src/settings/company.service.ts',
      'src/settings/company-definition.ts',
      'src/settings/pages-definition.ts',
      'src/settings/held-pictures.ts',
    ],
    tests: [
      'test/pages/settings.test.ts',
      'test/pages/company-logo.test.ts',
      'test/pages/company-look.test.ts',
      'test/pages/page-texts.test.ts',
    ],
  },
  people: {
    sources: [
      'src/people/people.service.ts',
      'src/people/people-list.ts',
      'src/auth/admin/invitations.service.ts',
      'src/posts/post-rights.ts',
      'src/posts/post-owners.service.ts',
      'src/roles/roles.service.ts',
    ],
    tests: [
      'test/integration/roles.test.ts',
      'test/integration/role-matrix.test.ts',
      'test/integration/auth-signup.test.ts',
      'test/integration/auth-admin-links.test.ts',
      'test/integration/auth-provider.test.ts',
    ],
  },
  setup: {
    sources: ['src/setup/setup-access.service.ts', 'src/setup/setup-state.service.ts', 'src/setup/setup.service.ts'],
    tests: ['src/setup/setup-state.spec.ts', 'test/integration/setup.test.ts'],
  },
};
