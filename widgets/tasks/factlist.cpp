// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/factlist.h"

#include "widgets/common/labels.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
// A long path has no blank at which a label could break it.
QString breakableAtSlashes(QString text) { return text.replace(QLatin1Char('/'), QStringLiteral("/\u200B")); }
} // namespace

FactList::FactList(const QString &heading, QWidget *parent) : QWidget(parent), m_rows(new QVBoxLayout)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space3, metrics::space3, metrics::space3, metrics::space3);
    layout->setSpacing(metrics::space2);
    layout->addWidget(semiboldLabel(heading));
    layout->addLayout(m_rows);
    m_rows->setSpacing(metrics::space1);
    setAccessibleName(heading);
    hide();
}

void FactList::setFacts(const QList<PreviewFact> &facts)
{
    if (facts != m_facts) {
        while (QLayoutItem *item = m_rows->takeAt(0)) {
            delete item->widget();
            delete item;
        }
        for (const PreviewFact &fact : facts) {
            auto *row = new QWidget;
            auto *across = new QHBoxLayout(row);
            across->setContentsMargins(0, 0, 0, 0);
            across->setSpacing(metrics::space2);
            QLabel *words = plainLabel(breakableAtSlashes(fact.text));
            words->setWordWrap(true);
            words->setToolTip(plainTip(fact.tip));
            words->setAccessibleName(fact.text);
            auto *beside = new QVBoxLayout; // the first line
            beside->setContentsMargins(0, std::max(0, words->fontMetrics().height() - metrics::smallIcon) / 2, 0, 0);
            beside->addWidget(new IconLabel(fact.icon, metrics::smallIcon, fact.colour));
            across->addLayout(beside); // without a stretch, for which the row would take what room there is
            across->setAlignment(beside, Qt::AlignTop);
            words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
            across->addWidget(words, 1);
            m_rows->addWidget(row);
        }
        m_facts = facts;
    }
    setVisible(!facts.isEmpty());
}

QStringList FactList::texts() const
{
    QStringList texts;
    for (const PreviewFact &fact : m_facts) {
        texts.append(fact.text);
    }
    return texts;
}

} // namespace trainyard
