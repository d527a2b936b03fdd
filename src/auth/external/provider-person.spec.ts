import { describe, expect, it } from '@jest/globals';
import type { ProviderConfig } from '../../config/auth-config.js';
import { toPerson } from './provider-person.js';

const config: ProviderConfig = {
  issuer: 'https://login.example.com',
  clientId: 'site',
  appClientIds: [],
  clientSecret: undefined,
  name: 'Example',
  id: 'custom:oidc',
  scopes: 'openid',
  isEmailTrusted: false,
  adminClaim: { name: 'realm_access.roles', value: 'admin' },
};
const withClaim = (name: string): ProviderConfig => ({ ...config, adminClaim: { name, value: 'admin' } });

describe('toPerson', () => {
  it('takes an address as verified only where that is said, or trusted where nothing is said', () => {
    const verified = (claims: object, isEmailTrusted = false) =>
      toPerson({ sub: 'x', email: 'A@Example.com', ...claims }, { ...config, isEmailTrusted }, true);
    expect(verified({ email_verified: true })).toMatchObject({ email: 'a@example.com', isEmailVerified: true });
    expect(verified({ email_verified: 'true' }).isEmailVerified).toBe(true);
    for (const said of [false, 'false', 1, null, undefined]) {
      expect(verified({ email_verified: said }).isEmailVerified).toBe(false);
    }
    expect(verified({}, true).isEmailVerified).toBe(true);
    expect(verified({ email_verified: false }, true).isEmailVerified).toBe(false);
    expect(toPerson({ sub: 'x' }, { ...config, isEmailTrusted: true }, true)).toMatchObject({ isEmailVerified: false });
  });

  it('finds the claim for administrators by its name or its path, as a value or among others', () => {
    const isAdmin = (claims: object, name = 'realm_access.roles', isWhole = true) =>
      toPerson({ sub: 'x', ...claims }, withClaim(name), isWhole).isAdmin;
    expect(isAdmin({ realm_access: { roles: ['staff', 'admin'] } })).toBe(true);
    expect(isAdmin({ 'https://example.com/roles': 'admin' }, 'https://example.com/roles')).toBe(true);
    expect(isAdmin({ realm_access: { roles: ['administrator'] } })).toBe(false);
    expect(isAdmin({ realm_access: 'roles' })).toBe(false);
    expect(isAdmin({}, 'constructor.name')).toBe(false);
    expect(isAdmin({})).toBe(false);
    expect(isAdmin({}, 'groups', false)).toBeUndefined();
    expect(toPerson({ sub: 'x', groups: ['admin'] }, { ...config, adminClaim: null }, true).isAdmin).toBeUndefined();
  });

  it('keeps texts that can be stored, and no others', () => {
    const { facts } = toPerson({ sub: 'x', name: 'Zero\0', picture: 'x'.repeat(3000), given_name: 7 }, config, true);
    expect(facts).toEqual({
      iss: config.issuer,
      sub: 'x',
      provider_id: 'x',
      email_verified: false,
      phone_verified: false,
    });
  });
});
