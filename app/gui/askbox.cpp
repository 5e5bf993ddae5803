// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/askbox.h"

#include "engine/api/jobfacts.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/wordbreaks.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLayout>
#include <QPushButton>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 shortRunMs = 60'000;
constexpr int leastBoxWidth = 340;

struct AskBoxTexts {
    Q_DECLARE_TR_FUNCTIONS(AskBox)
};

// The words begin at the margin, since no box has an icon. QMessageBox keeps a column for one.
void layOutAskBox(QMessageBox *box)
{
    constexpr const char *isDone = "trainyardIsLaidOut";
    auto *grid = qobject_cast<QGridLayout *>(box->layout());
    if (!grid || grid->property(isDone).toBool()) {
        return;
    }
    grid->setProperty(isDone, true);
    grid->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    grid->setVerticalSpacing(metrics::space3);
    grid->setHorizontalSpacing(0);
    QLayoutItem *first = grid->itemAtPosition(0, 0);
    if (QSpacerItem *column = first ? first->spacerItem() : nullptr) {
        column->changeSize(0, 0, QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    if (auto *label = box->findChild<QLabel *>(QStringLiteral("qt_msgbox_label"))) {
        label->setFont(fonts::heading());
        label->setContentsMargins({});
        label->setIndent(0);
    }
    if (auto *label = box->findChild<QLabel *>(QStringLiteral("qt_msgbox_informativelabel"))) {
        label->setTextFormat(Qt::PlainText);
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setContentsMargins({});
        label->setIndent(0);
    }
    // Not the label's minimum: the box measures the heading by it, and would cut a longer one off.
    // Below the words only: shared with the first column, it would give that one half of its width.
    grid->addItem(new QSpacerItem(leastBoxWidth, 0), grid->rowCount(), 1, 1, std::max(grid->columnCount() - 1, 1));
    grid->setColumnStretch(grid->columnCount() - 1, 1); // the box is a little wider than its parts
    grid->invalidate();
}

// A box makes another layout whenever its words change or something is added.
class AskBoxLayout final : public QObject
{
public:
    explicit AskBoxLayout(QMessageBox *box) : QObject(box), m_box(box)
    {
        layOutAskBox(box);
        box->installEventFilter(this);
    }
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest) {
            layOutAskBox(m_box);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QMessageBox *m_box;
};
} // namespace

QMessageBox *makeAskBox(
    QWidget *parent, const QString &heading, const QString &words, QMessageBox::StandardButtons buttons)
{
    auto *box = new QMessageBox(QMessageBox::NoIcon, QStringLiteral("Trainyard"), {}, buttons, parent);
    box->setTextFormat(Qt::PlainText);
    box->setText(breakable(heading)); // names may be longer than a line
    box->setInformativeText(breakable(words));
    box->setAttribute(Qt::WA_DeleteOnClose);
    new AskBoxLayout(box);
    return box;
}

void openAskBox(QMessageBox *box, QObject *context, const std::function<void()> &agreed)
{
    QObject::connect(box, &QMessageBox::buttonClicked, context, [box, agreed](QAbstractButton *button) {
        if (box->standardButton(button) == QMessageBox::Yes) {
            agreed();
        }
    });
    box->open();
}

bool asksBeforeStop(const JobSummary &job, qint64 now)
{
    return (job.state == State::Running || job.state == State::Stopping) && !job.stopRequested
        && countedMs(job, now) > shortRunMs;
}

QMessageBox *makeStopBox(QWidget *parent, const JobSummary &job, qint64 now)
{
    QMessageBox *box = makeAskBox(parent, AskBoxTexts::tr("Stop %1 #%2?").arg(job.name, QString::number(job.id)),
        AskBoxTexts::tr("It has been running for %1. Its tasks are asked to end, and are killed if they do not.")
            .arg(clockText(countedMs(job, now))),
        QMessageBox::Yes | QMessageBox::Cancel);
    box->setObjectName(QStringLiteral("stopBox"));
    box->button(QMessageBox::Yes)->setText(AskBoxTexts::tr("Stop the job"));
    box->button(QMessageBox::Cancel)->setText(AskBoxTexts::tr("Keep it running"));
    setButtonKind(box->button(QMessageBox::Yes), ButtonKind::Primary);
    box->setDefaultButton(QMessageBox::Yes);
    box->setEscapeButton(QMessageBox::Cancel);
    return box;
}

QMessageBox *makeRetryBox(QWidget *parent, qsizetype jobs, qsizetype succeeded)
{
    const bool hasOthers = succeeded < jobs;
    QMessageBox *box = makeAskBox(parent, AskBoxTexts::tr("Retry %n job(s)?", nullptr, int(jobs)),
        (jobs == 1           ? AskBoxTexts::tr("The job succeeded.")
                : !hasOthers ? AskBoxTexts::tr("All of these jobs succeeded.")
                             : AskBoxTexts::tr("%n of these jobs succeeded.", nullptr, int(succeeded)))
            + u' '
            + AskBoxTexts::tr("Another attempt runs all tasks again, and its values take the place of the results that "
                              "are shown."),
        QMessageBox::Yes | QMessageBox::Cancel);
    box->setObjectName(QStringLiteral("retryBox"));
    box->button(QMessageBox::Yes)->setText(jobs > 1 ? AskBoxTexts::tr("Retry all") : AskBoxTexts::tr("Retry"));
    box->setDefaultButton(QMessageBox::Cancel);
    if (hasOthers) {
        box->addButton(QMessageBox::No)->setText(AskBoxTexts::tr("Retry only the others"));
        setButtonKind(box->button(QMessageBox::No), ButtonKind::Primary);
        box->setDefaultButton(QMessageBox::No);
    }
    box->setEscapeButton(QMessageBox::Cancel);
    return box;
}

} // namespace trainyard
