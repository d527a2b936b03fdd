import type { MailConfig } from '../../config/config.js';
import type { MailTransport } from './mail-transport.js';

/** The transport that the configuration names. */
export async function createMailTransport(config: MailConfig['transport']): Promise<MailTransport> {
  // Only what is used is loaded.
  if (config.kind === 'smtp') {
    const { SmtpTransport } = await import('./smtp-transport.js');
    return new SmtpTransport(config.url);
  }
  const { CaptureTransport } = await import('./capture-transport.js');
  return new CaptureTransport(config.folder);
}
