/** A schema of the API's documentation: OpenAPI 3.0, as far as this one uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** One route of the documentation. */
export interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The API's documentation. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
  email: /^\S+@\S+$/,
};

/** The schema behind a reference; every other schema is itself. */
export function resolve(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`Nothing is at ${schema.$ref}`);
  return found;
}

/** Finds the places of a value that are not as a schema says, or that it does not tell of. */
export function findMismatches(document: ApiDocument, schema: Schema, value: unknown, path = '$'): string[] {
  const { nullable, allOf, ...rest } = resolve(document, schema);
  if (value === null) return nullable === true ? [] : [`${path} is null`];
  if (allOf !== undefined) return allOf.flatMap((part) => findMismatches(document, part, value, path));
  if (rest.enum !== undefined && !rest.enum.includes(value)) return [`${path} is none of ${rest.enum.join(', ')}`];
  switch (rest.type) {
    case 'array':
      if (!Array.isArray(value)) return [`${path} is no list`];
      return value.flatMap((item, place) => findMismatches(document, rest.items ?? {}, item, `${path}[${place}]`));
    case 'object':
      return typeof value === 'object' ? findWrongProperties(document, rest, value, path) : [`${path} is no object`];
    case 'string':
      if (typeof value !== 'string') return [`${path} is no text`];
      return FORMATS[rest.format ?? '']?.test(value) === false ? [`${path} is no ${rest.format}: ${value}`] : [];
    case 'number':
    case 'boolean':
      return typeof value === rest.type ? [] : [`${path} is no ${rest.type}`];
    default:
      return [`${path} is not described`];
  }
}

function findWrongProperties(document: ApiDocument, schema: Schema, value: object, path: string): string[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const described = properties[name];
    if (described !== undefined) return findMismatches(document, described, member, `${path}.${name}`);
    if (typeof additionalProperties === 'object') {
      return findMismatches(document, additionalProperties, member, `${path}.${name}`);
    }
    return additionalProperties === true ? [] : [`${path}.${name} is not described`];
  });
  return [...missing, ...wrong];
}

/** Schemas, at any depth of one, that say nothing: a reader would have to guess. */
export function findBlanks(document: ApiDocument, schema: Schema, path: string, seen = new Set<Schema>()): string[] {
  const { properties = {}, items, allOf, oneOf, ...rest } = resolve(document, schema);
  const known = resolve(document, schema);
  if (seen.has(known)) return [];
  seen.add(known);
  const parts = [...(allOf ?? []), ...(oneOf ?? []), ...(items === undefined ? [] : [items])];
  const members = Object.entries(properties);
  const isObject = rest.type === 'object';
  const isBlank =
    (parts.length === 0 && rest.type === undefined) ||
    (rest.type === 'array' && items === undefined) ||
    (isObject && parts.length + members.length === 0 && rest.additionalProperties === undefined);
  return [
    ...(isBlank ? [path] : []),
    ...parts.flatMap((part) => findBlanks(document, part, path, seen)),
    ...members.flatMap(([name, member]) => findBlanks(document, member, `${path}.${name}`, seen)),
  ];
}
