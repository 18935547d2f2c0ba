import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes'

/** The specification's table of screens. */
export default [
  index('pages/home.tsx'),
  route('login', 'pages/login.tsx'),
  route('signup', 'pages/sign-up.tsx'),
  route('products', 'pages/products.tsx'),

  layout('pages/signed-in.tsx', [
    route('purchase/:id', 'pages/purchase.tsx'),
    ...prefix('dashboard', [
      route('payment/:id', 'pages/payment.tsx'),
      layout('pages/dashboard.tsx', [
        index('pages/my-profile.tsx'),
        route('my-orders', 'pages/my-orders.tsx'),
        layout('pages/admin-only.tsx', [route('manage-orders', 'pages/manage-orders.tsx')]),
      ]),
    ]),
  ]),

  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig
