// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/conversionreport.h"

#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/severitylook.h"
#include "widgets/text/texts.h"

#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{

namespace
{
constexpr int pathRole = Qt::UserRole;
constexpr int shownLines = 8;
} // namespace

ConversionReport::ConversionReport(QWidget *parent) : QWidget(parent), m_bar(new InfoBar), m_list(new QListWidget)
{
    setObjectName(QStringLiteral("conversionReport"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_list);
    m_bar->setClosable(true);
    connect(m_bar, &InfoBar::closed, this, &ConversionReport::dismiss);
    m_list->setObjectName(QStringLiteral("conversionList"));
    m_list->setAccessibleName(tr("What the conversion changed"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setWordWrap(true);
    m_list->hide();
    const auto jump = [this](const QListWidgetItem *item) {
        const auto path = YamlPath::fromPointer(item->data(pathRole).toString());
        if (path && !path->isEmpty()) {
            Q_EMIT jumpRequested(*path);
        }
    };
    connect(m_list, &QListWidget::itemClicked, this, jump);
    connect(m_list, &QListWidget::itemActivated, this, jump);
}

void ConversionReport::setReport(const QString &oldName, const JobImport &import)
{
    const bool isBatch = import.from == JobImport::From::BatchScript;
    const QString name = oldName.toHtmlEscaped();
    m_bar->show(InfoBar::Kind::Info,
        isBatch && name.isEmpty() ? tr("This was a batch script of Slurm. It is a job now, not saved yet.")
            : isBatch
            ? tr("<b>%1</b> is a batch script of Slurm. This is a job that does the same, not saved yet; the script "
                 "stays as it is.")
                  .arg(name)
            : name.isEmpty()
            ? tr("This was a job of version 1. It is the same job in version 2 now, not saved yet.")
            : tr("<b>%1</b> is a job of version 1. This is the same job in version 2, not saved yet; the old file "
                 "stays as it is.")
                  .arg(name));
    m_toggle = m_bar->addAction(QString());
    m_toggle->setObjectName(QStringLiteral("conversionToggle"));
    connect(m_toggle, &QPushButton::clicked, this, [this] { setOpen(m_list->isHidden()); });
    m_list->clear();
    QList<Diagnostic> sorted = import.report;
    std::stable_sort(sorted.begin(), sorted.end(),
        [](const Diagnostic &a, const Diagnostic &b) { return int(a.severity) < int(b.severity); });
    bool serious = false;
    for (const Diagnostic &diagnostic : std::as_const(sorted)) {
        serious = serious || diagnostic.severity != Severity::Note;
        auto *item = new QListWidgetItem(
            icon(iconOf(diagnostic.severity), colourOf(diagnostic.severity)), diagnosticText(diagnostic), m_list);
        item->setData(pathRole, diagnostic.args.value(QLatin1String("to")).toString());
    }
    m_toggle->setVisible(m_list->count() > 0);
    const int rows = std::min(m_list->count(), shownLines);
    m_list->setFixedHeight(rows * std::max(m_list->sizeHintForRow(0), fontMetrics().height())
        + 2 * fontMetrics().leading() + fontMetrics().height() / 2);
    setOpen(serious);
    show();
    Q_EMIT warns(serious);
}

void ConversionReport::dismiss()
{
    hide();
    Q_EMIT warns(false);
}

void ConversionReport::setOpen(bool open)
{
    m_list->setVisible(open && m_list->count() > 0);
    m_toggle->setText(open ? tr("Hide what changed") : tr("Show what changed (%n)", nullptr, m_list->count()));
}

} // namespace trainyard
