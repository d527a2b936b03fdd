/** Why a backup cannot be made, trusted or restored; the message is for the operator and names the culprit. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
