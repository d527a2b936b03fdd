/** The words of the recovery codes of an account (product.md 8.2); apart from those of accounts.ts, which every page of accounts loads. */
export const recoveryCodeMessages = {
  replaced: 'The codes that you have kept will no longer work.',
  unsure: 'There may be new codes: those you kept may no longer work. Make new ones when the server answers again.',
  gone: 'Without them, and without your phone, you have to call us to get in.',
  removed: { title: 'Removed', text: 'The recovery codes no longer work.' },
};
