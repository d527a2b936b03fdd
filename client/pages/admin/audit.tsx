import { ScreenHead } from '../../features/admin/screen.js';
import { ActivityLog } from '../../features/audit/activity-log.js';
import { WebhookPart } from '../../features/webhooks/webhook-part.js';

/** The screen of the audit log. */
export function Component() {
  return (
    <>
      <ScreenHead title="Activity" lede="Who did what to which post and role" />
      <WebhookPart />
      <ActivityLog />
    </>
  );
}
