// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curvesaving.h"

#include "widgets/common/filedialog.h"
#include "widgets/common/infobar.h"
#include "widgets/common/savednotice.h"
#include "widgets/plot/curveplot.h"
#include "widgets/text/texts.h"

namespace trainyard
{

CurveSaving::CurveSaving(QWidget *window) : QObject(window), m_window(window) { }

CurveSaving::CurveSaving(QWidget *window, InfoBar *bar) : CurveSaving(window)
{
    connect(this, &CurveSaving::saved, bar, [bar](const QString &file) { saySaved(bar, file); });
    connect(this, &CurveSaving::failed, bar, [bar](const QString &sentence) {
        bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
        bar->setClosable(true);
    });
}

void CurveSaving::releaseSeries() { Q_EMIT leaving(); }

void CurveSaving::savePicture(CurvePlot *plot)
{
    const QSizeF column(88, 55); // mm: one column of a paper
    askWhereToSave(m_window, tr("Save the plot"), QString(plot->title()).replace(u'/', u'_') + QStringLiteral(".pdf"),
        savedPlots(), plot, [this, plot, column](const QString &file) {
            if (const Result<void> written = plot->save(file, column); written) {
                Q_EMIT saved(file);
            } else {
                Q_EMIT failed(errorText(written.error()));
            }
        });
}

void CurveSaving::setRun(const QString &name, qint64 number)
{
    const QString run = savedRunName(name, number);
    m_valuesName = run.isEmpty() ? QStringLiteral("curves.csv") : run + QStringLiteral("-metrics.csv");
}

void CurveSaving::saveValues(const std::function<QList<CurveGroup>()> &groups, CurveOwner owner)
{
    askWhereToSave(m_window, tr("Save the values"), m_valuesName, savedTables(), this,
        [this, groups, owner](const QString &file) { write(file, groups(), owner); });
}

void CurveSaving::write(const QString &file, const QList<CurveGroup> &groups, CurveOwner owner)
{
    auto *writer = new CurveExport(file, groups, owner, this);
    connect(this, &CurveSaving::leaving, writer, &CurveExport::cancel);
    connect(writer, &CurveExport::finished, this, [this, file](qsizetype, const QString &error) {
        if (!error.isEmpty()) {
            Q_EMIT failed(errorText(Error{QStringLiteral("file.unwritable"),
                {{QStringLiteral("file"), file}, {QStringLiteral("reason"), error}}}));
        } else {
            Q_EMIT saved(file);
        }
    });
    writer->start();
}

} // namespace trainyard
