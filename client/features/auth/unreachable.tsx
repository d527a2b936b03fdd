import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';

/** Says that something of the page could not be had from the server. */
export function Unreachable() {
  return (
    <div role="alert">
      <Notice kind="error">{accountMessages.unreachable}</Notice>
    </div>
  );
}
