/** Why a backup cannot be made, trusted or restored; the message is for the operator and names the culprit. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Thrown for a file that the system does not let anybody look into: what it holds is not known. */
export class UnreadBackupError extends BackupError {
  /** @param reason why not, without the file */
  constructor(
    file: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${file} cannot be read: ${reason}.`, options);
  }
}
