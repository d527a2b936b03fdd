import type { OxlintConfig } from 'oxlint';

type Overrides = NonNullable<OxlintConfig['overrides']>;

export declare function importDirections(root: string): Overrides;
export declare const forbiddenThings: Overrides;
