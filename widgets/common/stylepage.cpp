// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/stylepage.h"

#include "widgets/common/chip.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
// Sample texts are made up, and the page is for developers of the look: nothing here is translated.
constexpr std::array shapes{StateShape::Waiting, StateShape::Running, StateShape::Stopping, StateShape::Succeeded,
    StateShape::Failed, StateShape::Stopped, StateShape::Lost, StateShape::Paused};

class StatesTable : public QWidget
{
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {400, 118}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setFont(fonts::tiny());
        painter.fillRect(QRect(0, 36, width(), 28), colour(Colour::Surface, this));
        painter.fillRect(QRect(0, 64, width(), 28), colour(Colour::Selection, this));
        painter.setPen(colour(Colour::Muted, this));
        painter.drawText(QRect(8, 36, 80, 28), Qt::AlignVCenter, QStringLiteral("surface"));
        painter.drawText(QRect(8, 64, 80, 28), Qt::AlignVCenter, QStringLiteral("selected"));
        const qreal step = (width() - 80.0) / shapes.size();
        for (size_t i = 0; i < shapes.size(); ++i) {
            const qreal x = 80 + step * qreal(i);
            paintState(&painter, shapes.at(i), QRectF(x, 4, step, 24), palette());
            paintState(&painter, shapes.at(i), QRectF(x, 43, step, 14), palette());
            paintState(&painter, shapes.at(i), QRectF(x, 71, step, 14), palette());
            painter.setPen(colour(colourOf(shapes.at(i)), this));
            painter.drawText(QRectF(x, 96, step, 18), Qt::AlignCenter, stateLabel(shapes.at(i)));
        }
    }
};

class Swatches : public QWidget
{
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {400, 40}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        constexpr std::array roles{Colour::Window, Colour::Surface, Colour::Raised, Colour::Hover, Colour::Selection,
            Colour::Border, Colour::Edge, Colour::Mark, Colour::Muted, Colour::Text, Colour::Accent};
        constexpr std::array names{
            "window", "surface", "raised", "hover", "selection", "border", "edge", "mark", "muted", "text", "accent"};
        QPainter painter(this);
        painter.setFont(fonts::tiny());
        const qreal step = (width() + 4.0) / roles.size();
        for (size_t i = 0; i < roles.size(); ++i) {
            painter.setPen(colour(Colour::Border, this));
            painter.setBrush(colour(roles.at(i), this));
            painter.drawRoundedRect(QRectF(step * qreal(i) + 0.5, 0.5, step - 5, 19), 4, 4);
            painter.setPen(colour(Colour::Muted, this));
            painter.drawText(QRectF(step * qreal(i), 22, step - 4, 16), Qt::AlignCenter, QLatin1String(names.at(i)));
        }
    }
};

class SeriesLines : public QWidget
{
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {400, 28}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setFont(fonts::tiny());
        const qreal step = width() / 8.0;
        for (int i = 0; i < 8; ++i) {
            QPen pen(colour(Colour(int(Colour::Series1) + i), this), 2, Qt::SolidLine, Qt::FlatCap);
            if (const QList<qreal> dash = seriesDash(i + 1); !dash.isEmpty()) {
                pen.setDashPattern(dash);
            }
            painter.setPen(pen);
            const qreal x = step * i + step / 2;
            painter.drawLine(QPointF(x - 28, 6), QPointF(x + 28, 6));
            painter.setPen(colour(Colour::Muted, this));
            painter.drawText(QRectF(x - 20, 12, 40, 16), Qt::AlignCenter, QString::number(i + 1));
        }
    }
};

QLayout *section(QVBoxLayout *layout, const QString &title)
{
    layout->addSpacing(6);
    layout->addWidget(smallMutedLabel(title));
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    layout->addLayout(row);
    return row;
}

QLabel *fieldLabel(const QString &text)
{
    QLabel *label = mutedLabel(text);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return label;
}

QWidget *stateCard(const QString &iconName, Colour role, const QString &text, const QString &action)
{
    auto *card = new Ground(Colour::Surface);
    card->setCard(true);
    card->setFixedHeight(96);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(8, 2, 8, 2);
    auto *state = new EmptyState;
    state->setIcon(iconName, role);
    state->setText(text);
    state->setAction(action);
    layout->addWidget(state);
    return card;
}

QWidget *half(Theme theme, const QString &name)
{
    auto *page = new Ground(Colour::Window);
    page->setPalette(themePalette(theme));
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 14, 24, 14);
    layout->setSpacing(6);
    auto *head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(new IconLabel(QStringLiteral("trainyard"), 24, Colour::Accent));
    head->addWidget(headingLabel(name));
    head->addStretch();
    layout->addLayout(head);

    section(layout, QStringLiteral("States: shape first, then colour"))->addWidget(new StatesTable);
    section(layout, QStringLiteral("Palette"))->addWidget(new Swatches);
    section(layout, QStringLiteral("Series: colour and dash"))->addWidget(new SeriesLines);

    auto *buttons = static_cast<QHBoxLayout *>(section(layout, QStringLiteral("Buttons")));
    auto *run = new QToolButton;
    setButtonKind(run, ButtonKind::Primary);
    run->setText(QStringLiteral("Run"));
    run->setIcon(icon(QStringLiteral("run")));
    run->setIconSize({14, 14});
    run->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    run->setPopupMode(QToolButton::MenuButtonPopup);
    buttons->addWidget(run);
    for (const QString &text : {QStringLiteral("Button"), QStringLiteral("Default"), QStringLiteral("Disabled")}) {
        auto *button = new QPushButton(text);
        setButtonKind(button, text == QLatin1String("Default") ? ButtonKind::Primary : ButtonKind::Normal);
        button->setEnabled(text != QLatin1String("Disabled"));
        buttons->addWidget(button);
    }
    auto *small = new QPushButton(QStringLiteral("Small"));
    setSmall(small);
    buttons->addWidget(small);
    auto *segments = new SegmentedControl({QStringLiteral("Form"), QStringLiteral("Both"), QStringLiteral("YAML")});
    segments->setCurrentIndex(1);
    buttons->addWidget(segments);
    for (const QString &iconName : {QStringLiteral("restart"), QStringLiteral("follow"), QStringLiteral("redo")}) {
        auto *tool = new QToolButton;
        tool->setAutoRaise(true);
        tool->setIcon(icon(iconName));
        tool->setIconSize({16, 16});
        tool->setCheckable(true);
        tool->setChecked(iconName == QLatin1String("follow"));
        tool->setEnabled(iconName != QLatin1String("redo"));
        buttons->addWidget(tool);
    }
    buttons->addStretch();

    auto *columns = new QHBoxLayout;
    columns->setSpacing(24);
    auto *left = new QVBoxLayout;
    auto *right = new QVBoxLayout;
    left->setSpacing(6);
    right->setSpacing(6);
    columns->addLayout(left, 1);
    columns->addLayout(right, 1);
    layout->addLayout(columns);

    left->addWidget(smallMutedLabel(QStringLiteral("Fields")));
    auto *form = new QGridLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(6);
    form->setColumnMinimumWidth(0, 70);
    form->addWidget(fieldLabel(QStringLiteral("Name")), 0, 0);
    form->addWidget(new QLineEdit(QStringLiteral("cifar10_resnet")), 0, 1);
    auto *retries = new QSpinBox;
    retries->setFixedWidth(64);
    form->addWidget(fieldLabel(QStringLiteral("Retries")), 1, 0);
    form->addWidget(retries, 1, 1);
    auto *image = new QComboBox;
    image->setEditable(true);
    image->addItems({QStringLiteral("tf_example"), QStringLiteral("pytorch")});
    form->addWidget(fieldLabel(QStringLiteral("Image")), 2, 0);
    form->addWidget(image, 2, 1);
    form->addWidget(smallMutedLabel(QStringLiteral("openpai/pai.example.tensorflow")), 3, 1);
    auto *memory = new QSpinBox;
    memory->setMaximum(512);
    memory->setValue(96);
    memory->setSuffix(QStringLiteral(" GiB"));
    setFieldError(memory, true);
    form->addWidget(fieldLabel(QStringLiteral("Memory")), 4, 0);
    form->addWidget(memory, 4, 1);
    auto *error = new ColourLabel(QStringLiteral("More than any host has (64 GiB)"), Colour::Failed);
    error->setFont(fonts::small());
    form->addWidget(error, 5, 1);
    auto *queue = new QComboBox;
    queue->addItem(QStringLiteral("default"));
    queue->setEnabled(false);
    form->addWidget(fieldLabel(QStringLiteral("Queue")), 6, 0);
    form->addWidget(queue, 6, 1);
    form->addWidget(fieldLabel(QStringLiteral("Find")), 7, 0);
    form->addWidget(new SearchField(SearchField::Kind::Filter, QStringLiteral("lr>1e-3, failed, tag…")), 7, 1);
    auto *marks = new QHBoxLayout;
    marks->setSpacing(14);
    auto *on = new QCheckBox(QStringLiteral("On"));
    on->setChecked(true);
    auto *one = new QRadioButton(QStringLiteral("One"));
    one->setChecked(true);
    for (QWidget *mark : std::initializer_list<QWidget *>{
             on, new QCheckBox(QStringLiteral("Off")), one, new QRadioButton(QStringLiteral("Other"))}) {
        marks->addWidget(mark);
    }
    marks->addStretch();
    form->addLayout(marks, 8, 1);
    left->addLayout(form);
    left->addWidget(smallMutedLabel(QStringLiteral("Bars and annotations")));
    auto *waiting = new InfoBar(page);
    waiting->setBoxed(true);
    waiting->show(InfoBar::Kind::Waiting, QStringLiteral("Changed on disk."));
    waiting->addAction(QStringLiteral("Reload"));
    waiting->setClosable(false);
    left->addWidget(waiting);
    auto *failed = new InfoBar(page);
    failed->setBoxed(true);
    failed->show(InfoBar::Kind::Failed, QStringLiteral("No image “tf_exmple” here."));
    failed->addAction(QStringLiteral("Use tf_example"));
    left->addWidget(failed);
    auto *progress = new ProgressBar;
    progress->setShare(0.61);
    left->addWidget(progress);
    left->addStretch();

    auto *chips = static_cast<QHBoxLayout *>(section(right, QStringLiteral("Chips and order")));
    auto *ssh = new Chip(QStringLiteral("ssh"));
    ssh->setIconName(QStringLiteral("network"));
    ssh->setDetail(QStringLiteral("1"));
    auto *data = new Chip(QStringLiteral("cifar10-data"));
    data->setIconName(QStringLiteral("database"));
    data->setRemovable(true);
    auto *loss = new Chip(QStringLiteral("loss"));
    loss->setCheckable(true);
    loss->setChecked(true);
    for (QWidget *chip : std::initializer_list<QWidget *>{ssh, data, loss, Chip::adder(QStringLiteral("Add"))}) {
        chips->addWidget(chip);
    }
    chips->addStretch();
    right->addWidget(smallMutedLabel(QStringLiteral("Tabs")));
    auto *tabs = new QTabBar;
    setTabKind(tabs, TabKind::Inner);
    for (const QString &tab : {QStringLiteral("Timeline"), QStringLiteral("Metrics"), QStringLiteral("Files")}) {
        tabs->addTab(tab);
    }
    right->addWidget(tabs);
    right->addWidget(smallMutedLabel(QStringLiteral("Table rows, 28")));
    auto *model = new QStandardItemModel(0, 3, page);
    model->setHorizontalHeaderLabels({QStringLiteral("Task"), QStringLiteral("State"), QStringLiteral("Time")});
    for (int i = 0; i < 4; ++i) {
        auto *state = new QStandardItem(stateIcon(shapes.at(size_t(i) + 1)), stateLabel(shapes.at(size_t(i) + 1)));
        model->appendRow({new QStandardItem(QStringLiteral("worker-%1").arg(i)), state,
            new QStandardItem(QStringLiteral("12:4%1").arg(i))});
    }
    auto *view = new QTreeView;
    view->setModel(model);
    setTableLook(view);
    model->setHeaderData(2, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
    view->setFixedHeight(28 * 5 + 2);
    view->setCurrentIndex(model->index(2, 0));
    right->addWidget(view);
    auto *gpus
        = static_cast<QHBoxLayout *>(section(right, QStringLiteral("GPU cells: ours, foreign, free, kept, lost")));
    auto *cells = new GpuCells;
    QList<GpuInfo> gpuList(6);
    gpuList[0].jobId = 1;
    gpuList[0].utilPercent = 97;
    gpuList[1].jobId = 1;
    gpuList[1].utilPercent = 40;
    gpuList[2].foreign = true;
    gpuList[4].kept = QStringLiteral("hours");
    gpuList[5].kept = QStringLiteral("lost");
    cells->setGpus(gpuList);
    gpus->addWidget(cells);
    auto *spark = new Sparkline;
    spark->setValues({10, 90, 95, 40, 97, 96, 97, 93, 60, 97});
    gpus->addWidget(spark);
    gpus->addStretch();
    auto *cards = new QGridLayout;
    cards->setSpacing(8);
    cards->addWidget(
        stateCard(QStringLiteral("chart"), Colour::Muted, QStringLiteral("Numbers found go here."), {}), 0, 0);
    cards->addWidget(stateCard(QStringLiteral("error"), Colour::Failed, QStringLiteral("Log cannot be read"),
                         QStringLiteral("Show why")),
        0, 1);
    right->addWidget(smallMutedLabel(QStringLiteral("Empty and error")));
    right->addLayout(cards);
    right->addStretch();
    layout->addStretch();
    return page;
}
} // namespace

StylePage::StylePage(QWidget *parent) : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(half(Theme::Light, QStringLiteral("Light")), 1);
    layout->addWidget(half(Theme::Dark, QStringLiteral("Dark")), 1);
    setWindowTitle(QStringLiteral("Trainyard: components"));
    resize(1440, 900);
}

} // namespace trainyard
