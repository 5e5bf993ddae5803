// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// Outside any namespace: the macro declares a function.
static void loadIconResources() { Q_INIT_RESOURCE(icons); }

namespace trainyard
{
namespace
{
// -1: the application's palette decides.
int scopeTheme = -1;

QString pathOf(const QString &name) { return QStringLiteral(":/trainyard/icons/%1.svg").arg(name); }

QByteArray sourceOf(const QString &name)
{
    static QHash<QString, QByteArray> sources;
    const auto found = sources.constFind(name);
    if (found != sources.constEnd()) {
        return *found;
    }
    loadIconResources();
    QFile file(pathOf(name));
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    if (bytes.isEmpty()) {
        qWarning("There is no icon called %s.", qUtf8Printable(name));
    }
    sources.insert(name, bytes);
    return bytes;
}

class Engine final : public QIconEngine
{
public:
    Engine(const QString &name, Colour role) : m_name(name), m_role(role) { }
    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        paintIcon(painter, m_name, rect, tint(mode, state));
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        // Qt asks in device pixels and sets the ratio itself.
        Q_UNUSED(scale)
        return iconPixmap(m_name, std::min(size.width(), size.height()), 1.0, tint(mode, state));
    }
    QIconEngine *clone() const override { return new Engine(m_name, m_role); }
    QString key() const override { return QStringLiteral("trainyard"); }

private:
    QColor tint(QIcon::Mode mode, QIcon::State state) const
    {
        const Theme theme = currentIconTheme();
        if (mode == QIcon::Disabled) {
            return withAlpha(colour(m_role, theme), 0.38);
        }
        return colour(state == QIcon::On ? Colour::Accent : m_role, theme);
    }
    QString m_name;
    Colour m_role;
};
} // namespace

Theme currentIconTheme() { return scopeTheme >= 0 ? Theme(scopeTheme) : themeOf(QGuiApplication::palette()); }

QIcon icon(const QString &name, Colour role) { return QIcon(new Engine(name, role)); }

void paintIcon(QPainter *painter, const QString &name, const QRectF &rect, const QColor &colour)
{
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    const int side = qRound(std::min(rect.width(), rect.height()));
    const QPointF at(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
    // On whole device pixels, or a thin stroke blurs.
    painter->drawPixmap(
        QPointF(qRound(at.x() * ratio) / ratio, qRound(at.y() * ratio) / ratio), iconPixmap(name, side, ratio, colour));
}

QPixmap iconPixmap(const QString &name, int size, qreal devicePixelRatio, const QColor &colour)
{
    const QString key
        = QStringLiteral("trainyard/%1/%2/%3/%4")
              .arg(name, QString::number(size), QString::number(devicePixelRatio), colour.name(QColor::HexArgb));
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) {
        return pixmap;
    }
    const int pixels = std::max(1, qRound(size * devicePixelRatio));
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QByteArray source = sourceOf(name);
    if (!source.isEmpty()) {
        source.replace("currentColor", colour.name(QColor::HexRgb).toLatin1());
        QSvgRenderer renderer(source);
        QPainter painter(&pixmap);
        painter.setOpacity(colour.alphaF());
        renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    }
    pixmap.setDevicePixelRatio(devicePixelRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

IconThemeScope::IconThemeScope(const QPalette &palette) : m_before(scopeTheme) { scopeTheme = int(themeOf(palette)); }
IconThemeScope::~IconThemeScope() { scopeTheme = m_before; }

} // namespace trainyard
