/** Registers Kashbox in the checkout block of WooCommerce. It runs as it is: there is no build step. */
(() => {
  const { createElement } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const settings = window.wc.wcSettings.getSetting('kashbox_data', {});
  const title = decodeEntities(settings.title || 'Kashbox');

  const Label = ({ components }) => createElement(components.PaymentMethodLabel, { text: title });
  const Content = () => createElement('div', null, decodeEntities(settings.description || ''));

  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'kashbox',
    label: createElement(Label),
    content: createElement(Content),
    edit: createElement(Content),
    ariaLabel: title,
    // The server offers the method only where it can be used: shop in taka, connection complete.
    canMakePayment: () => true,
    supports: { features: settings.supports || ['products'] },
  });
})();
