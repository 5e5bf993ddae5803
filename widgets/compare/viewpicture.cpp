// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/viewpicture.h"

#include "engine/client/wholefile.h"
#include "widgets/common/filedialog.h"
#include "widgets/common/tokens.h"
#include "widgets/text/texts.h"

#include <QAction>
#include <QBuffer>
#include <QImage>
#include <QMenu>
#include <QPageSize>
#include <QPainter>
#include <QPalette>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace trainyard
{
namespace
{

constexpr int titleRoom = 28;
constexpr int pixelsPerInch = 96, pointsPerInch = 72;
constexpr int pngScale = 3; // of pixels: 288 dots per inch

QSize wholeSize(const ViewPicture &picture) { return picture.size + QSize(0, picture.title.isEmpty() ? 0 : titleRoom); }

bool drawOn(QPaintDevice *device, const ViewPicture &picture)
{
    QPainter painter;
    if (!painter.begin(device)) {
        return false;
    }
    const QPalette ink = themePalette(Theme::Light);
    painter.fillRect(QRect({0, 0}, wholeSize(picture)), colour(Colour::Surface, ink));
    if (!picture.title.isEmpty()) {
        painter.setFont(fonts::ui());
        painter.setPen(colour(Colour::Text, ink));
        painter.drawText(QRect(0, 0, picture.size.width(), titleRoom), Qt::AlignCenter,
            painter.fontMetrics().elidedText(picture.title, Qt::ElideMiddle, picture.size.width()));
        painter.translate(0, titleRoom);
    }
    picture.paint(&painter, ink);
    return painter.end();
}

QByteArray pdfOf(const ViewPicture &picture)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(pixelsPerInch);
    writer.setTitle(picture.title);
    writer.setPageSize(QPageSize(
        QSizeF(wholeSize(picture)) * pointsPerInch / pixelsPerInch, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    return drawOn(&writer, picture) ? buffer.data() : QByteArray();
}

QByteArray pngOf(const ViewPicture &picture)
{
    QImage image(wholeSize(picture) * pngScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(pngScale);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    return drawOn(&image, picture) && image.save(&buffer, "PNG") ? buffer.data() : QByteArray();
}

} // namespace

QByteArray ViewPicture::svg() const
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(wholeSize(*this));
    generator.setViewBox(QRect({0, 0}, wholeSize(*this)));
    generator.setTitle(title);
    return drawOn(&generator, *this) ? buffer.data() : QByteArray();
}

Result<void> ViewPicture::save(const QString &file) const
{
    const auto endsWith = [&file](QLatin1StringView suffix) { return file.endsWith(suffix, Qt::CaseInsensitive); };
    const QByteArray bytes = size.isEmpty()   ? QByteArray()
        : endsWith(QLatin1StringView(".svg")) ? svg()
        : endsWith(QLatin1StringView(".pdf")) ? pdfOf(*this)
                                              : pngOf(*this);
    if (bytes.isEmpty()) {
        return fail(QStringLiteral("file.unwritable"),
            {{QStringLiteral("file"), file},
                {QStringLiteral("reason"), ViewSaving::tr("the picture could not be drawn")}});
    }
    return writeFile(file, bytes);
}

ViewSaving::ViewSaving(QWidget *view, const QString &words, const std::function<ViewPicture()> &picture)
    : QObject(view), m_view(view), m_picture(picture), m_action(new QAction(words, this))
{
    connect(m_action, &QAction::triggered, this, &ViewSaving::ask);
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &QWidget::customContextMenuRequested, this, [this](const QPoint &at) {
        if (!hasPicture()) {
            return;
        }
        auto *menu = new QMenu(m_view);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(m_action);
        menu->popup(m_view->mapToGlobal(at));
    });
}

bool ViewSaving::hasPicture() const { return m_view->isVisible() && !m_picture().size.isEmpty(); }

void ViewSaving::ask()
{
    const QString title = m_picture().title;
    const QString name = QString(title.isEmpty() ? m_view->accessibleName() : title).replace(u'/', u'_');
    askWhereToSave(m_view->window(), tr("Save the picture"), name + QStringLiteral(".pdf"), savedPlots(), this,
        [this](const QString &file) {
            if (const Result<void> written = m_picture().save(file); written) {
                Q_EMIT saved(file);
            } else {
                Q_EMIT failed(errorText(written.error()));
            }
        });
}

} // namespace trainyard
