import * as z from 'zod/mini'
import { errors } from '../contract/errors.ts'
import { type Access, type Route, type RouteName, routes } from '../contract/routes.ts'
import { type CallSchema, schemas } from '../contract/schemas.ts'

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  [keyword: string]: unknown
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }[]
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>
  security: Record<string, string[]>[]
}

export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

const accessWords: Record<Access, string> = {
  public: 'Anybody.',
  'signed-in': 'Any signed-in customer.',
  self: 'The customer whose e-mail is named.',
  'self-or-admin': 'The customer whose e-mail is named, or an admin.',
  owner: "The order's customer.",
  'owner-or-admin': "The order's customer, or an admin.",
  admin: 'Admins.',
}

/** The OpenAPI document of all calls, made from the very schemas that check them. */
export function openApi(): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const name of Object.keys(routes) as RouteName[]) {
    const { path, method } = routes[name]
    const operations = (paths[path] ??= {})
    const verb = method.toLowerCase()
    const other = operations[verb]
    operations[verb] = other ? merge(other, describe(name)) : describe(name)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Torque Yard',
      version: '1',
      description:
        'Bodies and answers are JSON. Every refusal is { code, message, fields? }. Prices are in dollars.',
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema() },
    },
  }
}

function describe(name: RouteName): Operation {
  const { access, summary, upload }: Route = routes[name]
  const schema: CallSchema = schemas[name]
  return {
    operationId: name,
    summary,
    description: `Who may: ${accessWords[access]}`,
    parameters: [
      ...parameters(schema.params, 'path'),
      ...parameters(schema.query, 'query'),
      ...parameters(schema.headers, 'header'),
    ],
    ...(upload && { requestBody: { required: true as const, content: bytes(upload.types) } }),
    ...(schema.body && {
      requestBody: { required: true as const, content: json(jsonSchema(schema.body, 'input')) },
    }),
    responses: {
      200: { description: 'Done.', content: json(jsonSchema(schema.reply, 'output')) },
      default: { description: 'Refused.', content: json({ $ref: '#/components/schemas/Error' }) },
    },
    security: access === 'public' ? [{}] : [{ accessToken: [] }],
  }
}

/** Two calls that share a path and are told apart by their bodies. */
function merge(one: Operation, other: Operation): Operation {
  const bodies = [one, other].flatMap((each) => {
    const schema = each.requestBody?.content['application/json']?.schema
    return (schema?.anyOf as JsonSchema[] | undefined) ?? (schema ? [schema] : [])
  })
  return {
    ...one,
    summary: `${one.summary} ${other.summary}`,
    description: `${one.description} ${other.description}`,
    requestBody: { required: true, content: json({ anyOf: bodies }) },
    security: [...one.security, ...other.security],
  }
}

function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query' | 'header') {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}

const bytes = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

function errorSchema(): JsonSchema {
  return {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { enum: Object.keys(errors) },
      message: { type: 'string' },
      fields: { type: 'object', additionalProperties: { type: 'string' } },
    },
  }
}
