import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  ApiProperty,
  DocumentBuilder,
  SwaggerModule,
  type ApiPropertyOptions,
  type OpenAPIObject,
} from '@nestjs/swagger';
import { documentedProperties } from '../shared/contracts/documented.js';
import { SiteService } from '../site/site.service.js';

/** The page with the documentation of the API. */
export const DOCS_PATH = 'api/docs';

/** Serves the documentation of the API: a page, JSON and YAML. It is written when somebody asks for it. */
export function addApiDocument(app: NestFastifyApplication): void {
  SwaggerModule.setup(DOCS_PATH, app, () => describeApi(app, app.get(SiteService, { strict: false }).current.name), {
    jsonDocumentUrl: 'api/openapi.json',
    yamlDocumentUrl: 'api/openapi.yaml',
  });
}

/** Nest's plugin reads the contracts and controllers when they are compiled; the rest is in {@link documentedProperties}. */
function describeApi(app: NestFastifyApplication, title: string): OpenAPIObject {
  for (const { prototype, name, schema } of documentedProperties) {
    // A choice of types is no type, and without one the property counts as a reference to an unknown class.
    const type = schema.oneOf === undefined ? {} : { type: Object };
    ApiProperty({ ...type, ...schema } as ApiPropertyOptions)(prototype, name);
  }
  const builder = new DocumentBuilder().setTitle(title).setDescription('The REST API of the website.').addBearerAuth();
  return SwaggerModule.createDocument(app, builder.build());
}
