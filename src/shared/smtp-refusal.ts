/** A reply that refuses for good, with an enhanced status (RFC 3463), whose second number is the subject. */
const ENHANCED_REPLY = /^5\d\d[ -]5\.(\d{1,3})\.\d{1,3}\b/;
/** The subject "security or policy" of an enhanced status. */
const POLICY = '7';
/** Words of Postfix for the rule that refused; what it is about matters more than the status, which operators can set. */
const RULE = /\b(sender address|helo command|recipient address) rejected\b/i;

/**
 * Returns true for a refusal of a recipient that is about us: servers that do not relay for this site, or know the sender
 * as somebody else's, often say so only after RCPT TO. Where the reply names no rule and has no enhanced status, its other
 * words decide.
 * @param reply of the server to RCPT TO, with its code
 */
export function isRefusalOfSite(reply: string): boolean {
  const rule = RULE.exec(withoutAddresses(reply))?.[1];
  if (rule !== undefined) return !/recipient/i.test(rule);
  const subject = ENHANCED_REPLY.exec(reply)?.[1];
  if (subject !== undefined) return subject === POLICY;
  return isAboutSender(reply) || /\brelay/i.test(withoutAddresses(reply));
}

/** Returns true for a reply that is about the sender of the mail. */
export function isAboutSender(reply: string): boolean {
  return /\bsender\b/i.test(withoutAddresses(reply));
}

/** Replies repeat addresses, which may have these words in them. */
function withoutAddresses(reply: string): string {
  return reply.replace(/\S+@\S+/g, '');
}
