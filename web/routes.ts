import { index, type RouteConfig, route } from '@react-router/dev/routes'
export default [
  index('pages/home.tsx'),
  route('products', 'pages/products.tsx'),
  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig
