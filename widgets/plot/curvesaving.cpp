// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvesaving.h"

#include "widgets/common/filedialog.h"
#include "widgets/common/infobar.h"
#include "widgets/common/savednotice.h"
#include "widgets/plot/curveplot.h"
#include "widgets/plot/curvestore.h"

#include <QRegularExpression>

namespace trainyard
{

CurveSaving::CurveSaving(QWidget *window, InfoBar *bar) : QObject(window), m_window(window), m_bar(bar) { }

void CurveSaving::savePicture(CurvePlot *plot)
{
    const QSizeF column(88, 55); // mm: one column of a paper
    askWhereToSave(m_window, tr("Save the plot"), QString(plot->title()).replace(u'/', u'_') + QStringLiteral(".pdf"),
        savedPlots(), plot, [this, plot, column](const QString &file) {
            if (plot->save(file, column)) {
                saySaved(m_bar, file);
            } else {
                sayUnwritten(file, {});
            }
        });
}

void CurveSaving::setRun(const QString &name, qint64 number)
{
    static const QRegularExpression odd(QStringLiteral(R"([/\\:*?"<>|\s]+)"));
    const QString stem = QString(name).replace(odd, QStringLiteral("_"));
    QStringList parts{number > 0 ? QString::number(number) : QString(), stem};
    parts.removeAll(QString());
    m_valuesName = parts.isEmpty() ? QStringLiteral("curves.csv") : parts.join(u'-') + QStringLiteral("-metrics.csv");
}

void CurveSaving::saveValues(const std::function<QList<CurveGroup>()> &groups, const CurveStore *store)
{
    askWhereToSave(m_window, tr("Save the values"), m_valuesName, savedTables(), this,
        [this, groups, store](const QString &file) { write(file, groups(), store); });
}

void CurveSaving::write(const QString &file, const QList<CurveGroup> &groups, const CurveStore *store)
{
    auto *writer = new CurveExport(file, groups, this);
    connect(store, &CurveStore::reset, writer, &CurveExport::cancel);
    connect(writer, &CurveExport::finished, this, [this, file](qsizetype, const QString &error) {
        if (!error.isEmpty()) {
            sayUnwritten(file, error);
        } else {
            saySaved(m_bar, file);
        }
    });
    writer->start();
}

void CurveSaving::sayUnwritten(const QString &file, const QString &error)
{
    const QString name = file.toHtmlEscaped();
    m_bar->show(InfoBar::Kind::Failed,
        error.isEmpty() ? tr("%1 could not be written.").arg(name)
                        : tr("%1 could not be written: %2").arg(name, error.toHtmlEscaped()));
    m_bar->setClosable(true);
}

} // namespace trainyard
