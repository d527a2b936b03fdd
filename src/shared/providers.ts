/** Providers of sign-ins that clients know by name, as `/settings` lists them. */
export const KNOWN_PROVIDERS: readonly string[] = [
  ...['apple', 'azure', 'bitbucket', 'discord', 'facebook', 'snapchat', 'figma', 'fly', 'github', 'gitlab', 'google'],
  ...['keycloak', 'kakao', 'linkedin', 'linkedin_oidc', 'notion', 'spotify', 'slack', 'slack_oidc', 'workos'],
  ...['twitch', 'twitter', 'zoom'],
];
