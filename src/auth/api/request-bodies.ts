import { z } from 'zod';
import { assertStorable } from '../../http/input-gate.js';
import { badJson } from '../auth.error.js';

// The shapes of request bodies (auth-api.md 3). Absent and null are the empty value, as in the reference; unknown members
// are ignored. The services that use the values check their meaning.
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const data = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {});
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const challenge = { code_challenge: text, code_challenge_method: text };
const address = { email: text, phone: text };

export const signupBody = z.object({ ...address, password: text, data, ...challenge });
export const passwordBody = z.object({ ...address, password: text });
export const refreshBody = z.object({ refresh_token: text });
export const pkceBody = z.object({ auth_code: text, code_verifier: text });
export const idTokenBody = z.object({
  provider: text,
  id_token: text,
  access_token: text,
  nonce: text,
  client_id: text,
  issuer: text,
  link_identity: flag,
});
export const otpBody = z.object({
  ...address,
  create_user: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  data,
  channel: text,
  ...challenge,
});
export const recoverBody = z.object({ email: text, ...challenge });
export const resendBody = z.object({ type: text, ...address, ...challenge });
export const verifyBody = z.object({ type: text, token: text, token_hash: text, ...address, redirect_to: text });
export const pressedLinkBody = z.object({ type: text, token_hash: text, redirect_to: text });
export const updateBody = z.object({
  ...address,
  /** Undefined: no new password. */
  password: z
    .string()
    .nullish()
    .transform((value) => value ?? undefined),
  current_password: text,
  nonce: text,
  data,
  app_metadata: z.unknown().optional(),
  ...challenge,
});
export const enrollBody = z.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
/** The answer of an authenticator, a new credential or a signature, as `toJSON()` of browsers writes it. */
const credential = z.object({
  id: text,
  rawId: text,
  type: text,
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    authenticatorData: text,
    signature: text,
    userHandle: text,
    transports: z
      .array(z.string())
      .nullish()
      .transform((value) => value ?? []),
  }),
});
export const verifyFactorBody = z.object({
  challenge_id: text,
  code: text,
  webauthn: z.object({ type: text, credential_response: credential.nullish() }).nullish(),
});
export const passkeyBody = z.object({ challenge_id: text, credential: credential.nullish() });
export const recoveryCodeBody = z.object({ code: text });

/** Undefined: left as it is. */
const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined);
export const adminUserBody = z.object({
  id: text,
  aud: text,
  role: text,
  ...address,
  password: updateBody.shape.password,
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text,
});
export const deletionBody = z.object({ should_soft_delete: flag });
export const nameBody = z.object({ friendly_name: text });
export const inviteBody = z.object({ email: text, data });
export const linkBody = z.object({ type: text, email: text, new_email: text, password: text, data, redirect_to: text });

export type SignupBody = z.infer<typeof signupBody>;
export type PasswordBody = z.infer<typeof passwordBody>;
export type IdTokenBody = z.infer<typeof idTokenBody>;
export type OtpBody = z.infer<typeof otpBody>;
export type RecoverBody = z.infer<typeof recoverBody>;
export type ResendBody = z.infer<typeof resendBody>;
export type VerifyBody = z.infer<typeof verifyBody>;
export type PressedLinkBody = z.infer<typeof pressedLinkBody>;
export type UpdateBody = z.infer<typeof updateBody>;
export type AdminUserBody = z.infer<typeof adminUserBody>;
export type NameBody = z.infer<typeof nameBody>;
export type InviteBody = z.infer<typeof inviteBody>;
export type LinkBody = z.infer<typeof linkBody>;
export type EnrollBody = z.infer<typeof enrollBody>;
export type CredentialResponse = z.infer<typeof credential>;
export type PasskeyBody = z.infer<typeof passkeyBody>;
export type VerifyFactorBody = z.infer<typeof verifyFactorBody>;
export type RecoveryCodeBody = z.infer<typeof recoveryCodeBody>;

/**
 * Reads a request body.
 * @param raw as it came, whatever its content type
 * @throws AuthError 400 bad_json when it is no JSON object or a member has another type
 * @throws UnstorableInputException
 */
export function parseBody<T extends z.ZodType>(raw: unknown, shape: T): z.infer<T> {
  const parsed = parseJson(raw);
  assertStorable(parsed);
  const result = shape.safeParse(parsed);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badJson(`${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'has another type'}`);
}

function parseJson(raw: unknown): unknown {
  try {
    return JSON.parse(typeof raw === 'string' ? raw : '');
  } catch (error) {
    throw badJson((error as Error).message);
  }
}
