/** A part of JSON Schema, as OpenAPI 3.0 has it. */
export interface PropertySchema {
  readonly type?: 'string' | 'array';
  readonly format?: 'date-time' | 'email' | 'uri' | 'uuid';
  readonly description?: string;
  readonly nullable?: true;
  readonly required?: false;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: PropertySchema;
  readonly oneOf?: PropertySchema[];
}

/** A property of a class, and what its decorator says of it. */
export interface DocumentedProperty {
  readonly prototype: object;
  readonly name: string | symbol;
  readonly schema: PropertySchema;
}

const properties: DocumentedProperty[] = [];

/** All properties that are {@link Documented}, for the room that writes the documentation of the API. */
export const documentedProperties: readonly DocumentedProperty[] = properties;

/**
 * Tells the documentation of the API what the compiler cannot read from a declaration: the format of a text, a limit
 * with a name, a property that a loop adds to its class (decision 46).
 */
export function Documented(schema: PropertySchema): PropertyDecorator {
  return (prototype, name) => void properties.push({ prototype, name, schema });
}
