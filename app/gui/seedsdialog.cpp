// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/seedsdialog.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{

SeedsDialog::SeedsDialog(const QString &job, const QString &parameter, const QList<qint64> &taken, QWidget *parent)
    : QDialog(parent), m_field(new QLineEdit), m_words(smallMutedLabel({}))
{
    setObjectName(QStringLiteral("seedsDialog"));
    setWindowTitle(tr("Run again with other seeds"));
    setAttribute(Qt::WA_DeleteOnClose);
    const qint64 next = taken.isEmpty() ? 1 : *std::max_element(taken.cbegin(), taken.cend()) + 1;
    m_field->setText(QStringLiteral("%1, %2, %3").arg(next).arg(next + 1).arg(next + 2));
    m_field->setAccessibleName(tr("Seeds"));
    auto *box = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_run = box->addButton(tr("Run"), QDialogButtonBox::AcceptRole);
    setButtonKind(m_run, ButtonKind::Primary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space2);
    layout->addWidget(nameHeading(tr("Run %1 again with other seeds").arg(job), job));
    auto *of = new ElidedLabel(tr("Values of the parameter %1").arg(parameter));
    of->setElidedPart(parameter);
    layout->addWidget(of);
    layout->addWidget(m_field);
    layout->addWidget(m_words);
    layout->addSpacing(metrics::space2);
    layout->addWidget(box);
    setMinimumWidth(420);
    connect(m_field, &QLineEdit::textChanged, this, &SeedsDialog::update);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(box, &QDialogButtonBox::accepted, this, [this] {
        if (const auto seeds = seedsOf(m_field->text())) {
            Q_EMIT seedsGiven(*seeds);
            accept();
        }
    });
    m_field->selectAll();
    update();
}

std::optional<QList<qint64>> SeedsDialog::seedsOf(const QString &text)
{
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    static const QRegularExpression one(QStringLiteral("\\A(\\d{1,18})(?:(?:-|\\.\\.)(\\d{1,18}))?\\z"));
    QList<qint64> seeds;
    for (const QString &part : text.split(between, Qt::SkipEmptyParts)) {
        const QRegularExpressionMatch match = one.match(part);
        const qint64 from = match.captured(1).toLongLong();
        const qint64 to = match.captured(2).isEmpty() ? from : match.captured(2).toLongLong();
        if (!match.hasMatch() || to < from || to - from >= mostSeeds) {
            return std::nullopt;
        }
        for (qint64 seed = from; seed <= to; ++seed) {
            if (!seeds.contains(seed)) {
                seeds.append(seed);
            }
        }
    }
    return seeds.isEmpty() || seeds.size() > mostSeeds ? std::nullopt : std::optional(seeds);
}

void SeedsDialog::update()
{
    const auto seeds = seedsOf(m_field->text());
    m_run->setEnabled(seeds.has_value());
    setFieldError(m_field, !seeds);
    m_words->setText(seeds ? tr("%n job(s) are submitted.", nullptr, int(seeds->size()))
                           : tr("Give whole numbers, such as 2, 3 or 2-5; at most %1 of them.").arg(mostSeeds));
}

} // namespace trainyard
