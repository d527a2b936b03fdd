/** The words of the account screens (product.md 2.11 and 8.2). */
export const accountMessages = {
  validation: 'Validation error',
  signInFailed: 'Sign in failed',
  signUpFailed: 'Sign up failed',
  exists: { title: 'Account exists', text: 'This email is already registered. Please sign in instead.' },
  confirm: { title: 'Success!', text: 'Check your email to confirm your account.' },
  passwordChanged: { title: 'Success!', text: 'Your password has been changed.' },
  passwordSet: { title: 'Success!', text: 'Your password is set.' },
  signedOut: { title: 'Signed out', text: 'You are signed out on this device.' },
  signedOutEverywhere: { title: 'Signed out', text: 'You are signed out on every device.' },
  signOutFailed: 'Sign out failed',
  failed: 'Something went wrong',
  wrongCode: 'This code is not right, or was used before. Enter the one that your app shows now.',
  factorGone: 'Your account does not have this second factor any more. It was removed in the meantime.',
  appBegunAnew:
    'Another window has begun to add an app or a key since, so this QR code no longer counts. Cancel, and add the app again.',
  phoneBegunAnew:
    'Another window has begun to add an app or a key since, so this code no longer counts. Cancel, and add the phone again.',
  factorsChanged: {
    title: 'Nothing was changed',
    text: 'Your second factors were changed in another window in the meantime. Look at them as they are now, and try again.',
  },
  codeForm: 'Enter the 6 digits that your app shows.',
  appAdded: { title: 'Success!', text: 'From now on, signing in asks for a code of this app.' },
  identityRemoved: { title: 'Removed', text: 'You can no longer sign in with it.' },
  appRemoved: { title: 'Removed', text: 'The app is no longer asked for.' },
  wrongRecoveryCode: 'This code is not right, or was used before. Each code works once.',
  recoveryCodeForm: 'Enter one of your recovery codes.',
  codesGoToo: 'Your recovery codes go with it. To change phones, add the app on the new one first.',
  keyAdded: { title: 'Success!', text: 'From now on, signing in takes this key as the second step.' },
  codesGoWithKey: 'Your recovery codes go with it. To keep them, add another key or app first.',
  keyRemoved: { title: 'Removed', text: 'The key is no longer taken.' },
  phoneForm: 'Enter the number with the code of its country, such as +1 555 010 0199.',
  phoneCodeForm: 'Enter the digits of the message.',
  wrongPhoneCode: 'This code is not right. Enter the one of the newest message.',
  phoneCodeOld: 'This code is too old, or was used before. Send another code.',
  phoneCodeSent: 'Another code is on its way. Only the newest one works.',
  phoneAdded: { title: 'Success!', text: 'From now on, signing in asks for a code that goes to this phone.' },
  phoneRemoved: { title: 'Removed', text: 'Codes no longer go to this phone.' },
  keyKnown: 'This key is registered already.',
  keyNotUsed: 'Nothing came of it. Try again, and follow what your browser says.',
  keysUnknown: 'This browser cannot ask for keys here.',
  passkeyAdded: { title: 'Success!', text: 'From now on, you can sign in with this passkey.' },
  passkeyRemoved: {
    title: 'Removed',
    text: 'Nobody signs in with this passkey any more. Remove it from your device too.',
  },
  passkeyUnknown: 'This passkey is not known here. Sign in with your password.',
  nameSaved: 'Your name is saved.',
  sameEmail: 'This is the address that your account has.',
  emailChanged: 'Your email address has been changed.',
  emailAsked:
    'Open the link that we have just mailed to your new address, or type in its code. If your present address gets one as well, both have to agree.',
  currentAsked: 'Type in your current password as well.',
  currentWrong: 'This is not your current password.',
  copySaved: 'Your file is ready. Your browser has saved it.',
  accountDeleted: 'Your account is deleted.',
  deviceEnded: { title: 'Signed out', text: 'The device is signed out.' },
  devicesEnded: (count: number) =>
    count === 1 ? 'One other device is signed out.' : `${count} other devices are signed out.`,
  factorNeeded: 'Administrators of this site need a second factor. Add one below, and the admin area is open to you.',
  factorThere: 'Your second factor is set up.',
  sessionEnded: 'You have been signed out. Please sign in again.',
  accountGone: 'This account is not there any more.',
  otherAccount: 'This is another account than the one that was signed in here.',
  unreachable: 'The server could not be reached. Please try again in a moment.',
  // The same for every address: this screen must not tell who has an account.
  recoverySent: 'If there is an account for this address, an email with a link is on its way. It may take a minute.',
  confirmationSent: 'If this address still waits to be confirmed, a new link is on its way. It may take a minute.',
  codeWrong:
    'This code is wrong, too old or used already. Check its digits in the newest email, or use the button there.',
  codeDead: 'After so many wrong tries this code no longer works. The button in its email still does.',
  codeSent: 'If we owe this address a code, a new one is on its way. Only the newest one works.',
  codeHalf: 'Thank you. Now type in the code that we sent to your other address; both have to agree to the change.',
  codeNotValid: 'This code is wrong or too old. Check its digits in the newest email, or ask for a new code.',
  codeAsked: 'We have to be sure that it is you. Type in the code that we have just mailed to you.',
} as const;

/** The types of links that our mails carry. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'email';

/** The purposes of mailed codes; `email` is another word for some of them. */
export type CodePurpose = Exclude<LinkType, 'email'>;

/** The purposes as people call them. */
export const codePurposes: Readonly<Record<CodePurpose, string>> = {
  signup: 'Confirming my email address',
  recovery: 'Choosing a new password',
  magiclink: 'Signing in',
  email_change: 'Changing my email address',
  invite: 'Accepting an invitation',
};

interface LinkTexts {
  /** The effect of pressing the button, wherever the visitor goes on. */
  readonly lede: string;
  /** The next step on this site. */
  readonly here: string;
  readonly button: string;
  readonly busy: string;
}

const confirmsAddress: LinkTexts = {
  lede: 'Press the button to confirm your email address.',
  here: 'You will be signed in here.',
  button: 'Confirm my email address',
  busy: 'Confirming...',
};

/** The purpose of each mailed link, shown before it is spent. */
export const linkTexts: Readonly<Record<LinkType, LinkTexts>> = {
  signup: confirmsAddress,
  email: confirmsAddress,
  invite: {
    lede: 'Press the button to accept the invitation.',
    here: 'You choose your password next.',
    button: 'Accept the invitation',
    busy: 'Accepting...',
  },
  magiclink: {
    lede: 'Press the button to sign in on this device.',
    here: '',
    button: 'Sign me in',
    busy: 'Signing in...',
  },
  recovery: {
    lede: 'Press the button to choose a new password.',
    here: 'You will be signed in here.',
    button: 'Choose a new password',
    busy: 'One moment...',
  },
  email_change: {
    lede: 'Press the button to confirm this address for your account.',
    here: '',
    button: 'Confirm this address',
    busy: 'Confirming...',
  },
};

/** The next step after the link of another application, in place of `here`. */
export const applicationFollows = 'You then go on in the application that asked for this email.';
